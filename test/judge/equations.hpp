#pragma once

// Sums of unknowns, and which unknowns they reveal, by Gaussian elimination modulo a prime.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

/// Rows in reduced echelon form modulo a prime.
class Equations {
 public:
  explicit Equations(std::size_t unknowns) : unknowns_(unknowns) {}

  void add(const std::vector<int>& ones) {
    std::vector<std::uint32_t> row(unknowns_, 0);
    for (const int i : ones) row[static_cast<std::size_t>(i)] += 1;
    for (const auto& [pivot, known] : rows_)
      if (row[pivot] != 0) subtract(row, known, row[pivot]);
    std::size_t pivot = 0;
    while (pivot < unknowns_ && row[pivot] == 0) ++pivot;
    if (pivot == unknowns_) return;
    const std::uint64_t inverse = power(row[pivot], kPrime - 2);
    for (std::uint32_t& x : row) x = static_cast<std::uint32_t>(x * inverse % kPrime);
    for (auto& [other, known] : rows_)
      if (known[pivot] != 0) subtract(known, row, known[pivot]);
    rows_.emplace(pivot, std::move(row));
  }

  int solved() const {
    int count = 0;
    for (const auto& [pivot, row] : rows_)
      count += std::count_if(row.begin(), row.end(), [](std::uint32_t x) { return x != 0; }) == 1;
    return count;
  }

 private:
  static constexpr std::uint64_t kPrime = 2147483647;

  static void subtract(std::vector<std::uint32_t>& row, const std::vector<std::uint32_t>& other,
                       std::uint64_t factor) {
    for (std::size_t i = 0; i < row.size(); ++i)
      if (other[i] != 0)
        row[i] = static_cast<std::uint32_t>((row[i] + (kPrime - factor) * other[i]) % kPrime);
  }
  static std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = base * base % kPrime)
      if (exponent & 1) result = result * base % kPrime;
    return result;
  }

  std::size_t unknowns_;
  std::map<std::size_t, std::vector<std::uint32_t>> rows_;
};

/// Equations that may solve an unknown. One with two unknowns of its own cannot: no combination
/// that includes it leaves a single unknown. Repeated until none is left to drop.
inline std::vector<std::vector<int>> entangled(std::vector<std::vector<int>> equations,
                                               std::size_t unknowns) {
  std::vector<std::set<std::size_t>> in(unknowns);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (std::size_t e = 0; e < equations.size(); ++e)
    for (const int i : equations[e]) in[at(i)].insert(e);
  std::vector<std::size_t> open(equations.size());
  for (std::size_t e = 0; e < open.size(); ++e) open[e] = e;
  while (!open.empty()) {
    std::vector<int>& equation = equations[open.back()];
    const std::set<int> different(equation.begin(), equation.end());
    const std::size_t e = open.back();
    open.pop_back();
    const auto own = std::count_if(different.begin(), different.end(),
                                   [&](int i) { return in[at(i)].size() == 1; });
    if (own < 2) continue;
    for (const int i : different) {
      in[at(i)].erase(e);
      open.insert(open.end(), in[at(i)].begin(), in[at(i)].end());
    }
    equation.clear();
  }
  equations.erase(std::remove(equations.begin(), equations.end(), std::vector<int>()),
                  equations.end());
  return equations;
}

/// The number of unknowns that the equations solve. An equation lists the unknowns of a sum. Those
/// that are entangled are numbered anew.
inline int count_solved(const std::vector<std::vector<int>>& equations, std::size_t unknowns) {
  std::vector<std::vector<int>> left = entangled(equations, unknowns);
  std::map<int, int> number;
  for (std::vector<int>& equation : left)
    for (int& i : equation) i = number.emplace(i, static_cast<int>(number.size())).first->second;
  Equations system(number.size());
  for (const std::vector<int>& equation : left) system.add(equation);
  return system.solved();
}
