#include "risk/determined_columns.hpp"

#include "base/at.hpp"

namespace anonkit {
namespace {

constexpr std::int32_t kUnseen = -1;

bool determines(const CodedColumn& by, const CodedColumn& other, std::int64_t rows,
                std::vector<std::int32_t>& code_with, Ticker& ticker) {
  code_with.assign(at(by.distinct), kUnseen);
  for (std::int64_t row = 0; row < rows; ++row) {
    ticker.step(4);
    std::int32_t& seen = code_with[at(by.codes[row])];
    if (seen != kUnseen && seen != other.codes[row]) return false;
    seen = other.codes[row];
  }
  return true;
}

}  // namespace

int determined_columns(const std::vector<CodedColumn>& columns, std::size_t by, std::int64_t rows,
                       Ticker& ticker) {
  int determined = 0;
  std::vector<std::int32_t> code_with;
  for (std::size_t j = 0; j < columns.size(); ++j)
    if (j != by && columns[j].distinct > 1 &&
        determines(columns[by], columns[j], rows, code_with, ticker))
      ++determined;
  return determined;
}

}  // namespace anonkit
