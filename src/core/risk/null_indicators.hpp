#pragma once

#include <cstdint>
#include <vector>

#include "risk/cells.hpp"

namespace anonkit {

/// Two relations in which every column of numbers with nulls has an indicator: a category, 1 where
/// it is null. Models that take numbers and categories see nulls so, with the mean in a null's
/// place. The indicators follow all other columns, and the views hold as long as this.
class NullIndicators {
 public:
  NullIndicators(const Cells& original, const Cells& masked);
  NullIndicators(const NullIndicators&) = delete;
  NullIndicators& operator=(const NullIndicators&) = delete;

  const Cells& original() const { return original_; }
  const Cells& masked() const { return masked_; }

 private:
  void add(Cells& cells, std::size_t j);

  Cells original_;
  Cells masked_;
  std::vector<std::vector<std::int32_t>> codes_;
};

}  // namespace anonkit
