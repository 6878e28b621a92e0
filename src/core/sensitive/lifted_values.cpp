#include "sensitive/lifted_values.hpp"

#include "base/at.hpp"
#include "base/error.hpp"

namespace anonkit {

std::vector<std::int32_t> lifted_values(const Hierarchy& hierarchy,
                                        const std::vector<ProtectedGroup>& protected_groups) {
  std::vector<std::vector<bool>> is_protected;
  std::vector<std::vector<std::int32_t>> number;  // by protected group; -1 until its first value
  for (std::int32_t level = 0; level <= hierarchy.height(); ++level) {
    is_protected.emplace_back(at(hierarchy.groups(level)), level == 0);
    number.emplace_back(at(hierarchy.groups(level)), -1);
  }
  for (const ProtectedGroup& one : protected_groups) {
    if (one.level < 0 || one.level > hierarchy.height() || one.group < 0 ||
        one.group >= hierarchy.groups(one.level))
      throw Error(ErrorKind::invalid_parameter, "a protected value is not in the hierarchy");
    is_protected[at(one.level)][at(one.group)] = true;
  }
  std::vector<std::int32_t> lifted;
  std::int32_t next = 0;
  for (std::int32_t value = 0; value < hierarchy.values(); ++value) {
    std::int32_t level = hierarchy.height();
    while (!is_protected[at(level)][at(hierarchy.group(level, value))]) --level;
    std::int32_t& own = number[at(level)][at(hierarchy.group(level, value))];
    if (own < 0) own = next++;
    lifted.push_back(own);
  }
  return lifted;
}

}  // namespace anonkit
