#include "method/tcloseness/merge.hpp"

#include <utility>
#include <vector>

#include "method/repair/merging.hpp"

namespace anonkit {
namespace {

/// Orders the classes by their EMD, greatest first.
class ClosenessCondition final : public ClassCondition {
 public:
  ClosenessCondition(const Closeness& closeness, ClassId classes)
      : closeness_(closeness), values_(static_cast<std::size_t>(classes)) {}

  void enter(ClassId c, const RecordSpan& members) override {
    closeness_.collect(members, &values_[static_cast<std::size_t>(c)]);
  }
  void merge(ClassId from, ClassId into) override {
    const Closeness::Values gone = std::move(values_[static_cast<std::size_t>(from)]);
    closeness_.merge(gone, &values_[static_cast<std::size_t>(into)]);
  }
  bool satisfied(ClassId c, const RecordSpan&, double* level) const override {
    const Closeness::Values& values = values_[static_cast<std::size_t>(c)];
    *level = closeness_.level(values);
    return closeness_.close(values);
  }

 private:
  const Closeness& closeness_;
  std::vector<Closeness::Values> values_;  ///< by class
};

}  // namespace

Partition merge_until_close(const Space& space, const Partition& partition,
                            const Closeness& closeness, Ticker& ticker) {
  Partition numbered = partition;
  number_by_first_record(numbered);
  if (closeness.close(numbered, ticker)) return numbered;
  ClosenessCondition condition(closeness, numbered.classes);
  return merge_until_satisfied(space, std::move(numbered), condition, ticker);
}

}  // namespace anonkit
