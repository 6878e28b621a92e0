#include "method/mondrian/mondrian.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "method/mondrian/cut.hpp"

namespace anonkit {
namespace {

class Mondrian {
 public:
  Mondrian(const GeneralisationSpace& space, Record k, const std::vector<Constraint*>& constraints,
           MondrianCut how, Ticker& ticker)
      : rows_(space),
        chooser_(rows_, space, k, how, ticker),
        k_(k),
        constraints_(constraints),
        ticker_(ticker) {}

  Partition run() {
    const RecordRange all{0, rows_.size()};
    if (all.size() < k_ || !allowed(all))
      throw Error(ErrorKind::infeasible, "the records do not form a class that is allowed",
                  "Mondrian cuts a class of all records, which breaks a promise.",
                  "Promise less. With unit, method 'microaggregate' may find smaller classes.");
    partition_.class_of.resize(static_cast<std::size_t>(all.size()));
    std::vector<RecordRange> open{all};
    while (!open.empty()) {
      const RecordRange part = open.back();
      open.pop_back();
      if (!cut(part)) {
        close(part);
        continue;
      }
      open.insert(open.end(), parts_.rbegin(), parts_.rend());
    }
    number_by_first_record(partition_);
    return std::move(partition_);
  }

 private:
  /// Leaves the parts in parts_.
  bool cut(const RecordRange& part) {
    if (part.size() < 2 * k_) return false;
    for (const Cut& cut : chooser_.cuts(part)) {
      chooser_.apply(cut, part, parts_);
      if (std::all_of(parts_.begin(), parts_.end(),
                      [&](const RecordRange& each) { return each.size() >= k_ && allowed(each); }))
        return true;
    }
    return false;
  }

  bool allowed(const RecordRange& part) const {
    if (constraints_.empty()) return true;
    ticker_.step(16 * static_cast<std::int64_t>(part.size()));
    const RecordSpan group(rows_.records() + part.begin, part.size());
    return std::all_of(constraints_.begin(), constraints_.end(),
                       [&](const Constraint* constraint) { return constraint->allows(group); });
  }

  void close(const RecordRange& part) {
    ticker_.advance(part.size());
    for (Record at = part.begin; at < part.end; ++at)
      partition_.class_of[static_cast<std::size_t>(rows_.records()[at])] = partition_.classes;
    ++partition_.classes;
  }

  Rows rows_;
  CutChooser chooser_;
  Record k_;
  const std::vector<Constraint*>& constraints_;
  Ticker& ticker_;
  std::vector<RecordRange> parts_;
  Partition partition_;
};

}  // namespace

Partition mondrian(const GeneralisationSpace& space, Record k,
                   const std::vector<Constraint*>& constraints, MondrianCut cut, Ticker& ticker) {
  return Mondrian(space, k, constraints, cut, ticker).run();
}

}  // namespace anonkit
