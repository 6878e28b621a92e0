#include "pg/read/value_domain.hpp"

#include <algorithm>

#include "pg/backend/session.hpp"

namespace anonkit::pg {
namespace {

/// The values of a column of categories, null among them.
int64 count_categories(const ValueDomain& domain, int j) {
  return domain.block->dictionaries[j]->size() + (domain.has_null[j] ? 1 : 0);
}

/// Shorter columns repeat their last value.
void set_value(const ValueDomain& domain, int64 value, Block& block, int64 row, int j) {
  if (block.dictionaries[j] == nullptr) {
    const int64 count = domain.counts[j];
    block.value(row, j) = count > 0 ? domain.numbers[j][std::min(value, count - 1)] : 0;
    return;
  }
  const Dictionary& texts = *domain.block->dictionaries[j];
  const auto code = static_cast<int32>(std::min(value, count_categories(domain, j) - 1));
  set_category(block, row, j, code < texts.size() ? &texts.text(code) : nullptr);
}

}  // namespace

ValueDomain domain_of(const Source& source, const Loaded& sketched) {
  const int d = source.quasi_identifiers;
  const Sketch& sketch = *sketched.sketch;
  bool* has_null = allocate<bool>(d);
  ValueDomain domain = {0, &sketched.quasi_identifiers, has_null, allocate<double*>(d),
                        allocate<int32>(d)};
  for (int j = 0; j < d; ++j) {
    has_null[j] = sketch.nulls[j] > 0;
    domain.counts[j] = 0;
    if (sketch.numbers[j] != nullptr)
      domain.numbers[j] = sketched_numbers(sketch, j, &domain.counts[j]);
    const bool categories = sketched.quasi_identifiers.dictionaries[j] != nullptr;
    domain.rows =
        std::max(domain.rows, categories ? count_categories(domain, j) : int64{domain.counts[j]});
  }
  return domain;
}

void append_domain(const ValueDomain& domain, Loaded& part) {
  Block& block = part.quasi_identifiers;
  part.domain = domain.rows;
  grow_block(block, part.rows + part.domain);
  for (int64 value = 0; value < domain.rows; ++value) {
    CHECK_FOR_INTERRUPTS();
    for (int j = 0; j < block.count; ++j) set_value(domain, value, block, part.rows + value, j);
  }
}

}  // namespace anonkit::pg
