#include "table/label_order.hpp"

#include <cstdlib>
#include <string>

namespace anonkit {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t end_of_digits(std::string_view label, std::size_t begin) {
  while (begin < label.size() && is_digit(label[begin])) ++begin;
  return begin;
}

/// The end of the digits from `begin` on, and of those behind a point.
std::size_t end_of_number(std::string_view label, std::size_t begin) {
  const std::size_t end = end_of_digits(label, begin);
  return end < label.size() && label[end] == '.' ? end_of_digits(label, end + 1) : end;
}

bool is_negative(std::string_view label, std::size_t begin) {
  return begin > 0 && label[begin - 1] == '-' && (begin < 2 || !is_digit(label[begin - 2]));
}

bool is_below(std::string_view label) {
  return !label.empty() && label.front() == '<';
}

}  // namespace

std::vector<double> numbers_of_label(std::string_view label) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at < label.size(); ++at) {
    if (!is_digit(label[at])) continue;
    const std::size_t end = end_of_number(label, at);
    const double number = std::strtod(std::string(label.substr(at, end - at)).c_str(), nullptr);
    numbers.push_back(is_negative(label, at) ? -number : number);
    at = end - 1;
  }
  return numbers;
}

bool precedes_by_numbers(std::string_view a, std::string_view b) {
  const std::vector<double> x = numbers_of_label(a);
  const std::vector<double> y = numbers_of_label(b);
  if (x.empty() || y.empty()) return x.empty() && y.empty() ? a < b : x.empty();
  if (x.front() != y.front()) return x.front() < y.front();
  if (is_below(a) != is_below(b)) return is_below(a);
  if (x != y) return x < y;
  return a < b;
}

}  // namespace anonkit
