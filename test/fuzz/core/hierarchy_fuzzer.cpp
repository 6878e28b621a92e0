// Turns random bytes into the levels of a hierarchy: refused, or a tree with consistent queries.

#include <cstdlib>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "raw_bytes.hpp"
#include "table/hierarchy.hpp"

using anonkit::Hierarchy;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_tree(const Hierarchy& hierarchy) {
  check(hierarchy.groups(hierarchy.height()) == 1);
  for (std::int32_t level = 0; level < hierarchy.height(); ++level) {
    std::int32_t leaves = 0;
    for (std::int32_t g = 0; g < hierarchy.groups(level); ++g) {
      leaves += hierarchy.leaves(level, g);
      check(hierarchy.leaves(level, g) >= 1);
      const double ncp = hierarchy.ncp(level, g);
      check(ncp >= 0 && ncp <= 1 && ncp <= hierarchy.ncp(level + 1, hierarchy.parent(level, g)));
    }
    check(leaves == hierarchy.values());
    for (std::int32_t v = 0; v < hierarchy.values(); ++v) {
      check(hierarchy.parent(level, hierarchy.group(level, v)) == hierarchy.group(level + 1, v));
      const std::int32_t common = hierarchy.common_level(0, v);
      check(hierarchy.group(common, 0) == hierarchy.group(common, v));
      check(common == 0 || hierarchy.group(common - 1, 0) != hierarchy.group(common - 1, v));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  anonkit::RawBytes bytes(data, size);
  std::vector<std::vector<std::int32_t>> levels(static_cast<std::size_t>(bytes.between(0, 5)));
  const bool ragged = bytes.between(0, 15) == 0;
  const int values = bytes.between(0, 20);
  for (auto& level : levels) {
    level.resize(static_cast<std::size_t>(ragged ? bytes.between(0, 20) : values));
    const int groups = bytes.between(1, 8);
    for (std::int32_t& group : level)
      group = bytes.between(0, groups) - bytes.between(0, 255) / 255;
  }
  try {
    check_tree(Hierarchy(std::move(levels)));
  } catch (const anonkit::Error& error) {
    check(error.kind == anonkit::ErrorKind::invalid_data);
  }
  return 0;
}
