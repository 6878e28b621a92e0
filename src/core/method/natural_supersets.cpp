#include "method/natural_supersets.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "base/at.hpp"
#include "base/error.hpp"
#include "method/mondrian/mondrian_method.hpp"
#include "promise/promised.hpp"
#include "search/loss/ncp_loss.hpp"
#include "search/loss/sse_loss.hpp"

namespace anonkit {
namespace {

// Differences up to this size are rounding noise.
constexpr double kNoise = 1e-9;

/// The loss of classes anywhere in the problem.
class ClassLoss {
 public:
  ClassLoss(const Problem& problem, Ticker& ticker) : ticker_(ticker) {
    if (generalises(problem.options)) {
      space_.emplace(generalisation_space(problem.table, problem.rows, problem.columns,
                                          problem.options.recode, ticker));
      loss_ = std::make_unique<NcpLoss>(*space_);
    } else {
      loss_ = std::make_unique<SseLoss>(problem.space);
    }
  }

  double of(const RecordRange& part, const Partition& classes) const {
    Members members = members_of(classes);
    for (Record& record : members.records) record += part.begin;
    double sum = 0;
    for (const RecordSpan group : members) {
      ticker_.step(std::int64_t{20} * group.size());
      sum += loss_->cost(group);
    }
    return sum;
  }

 private:
  Ticker& ticker_;
  std::optional<GeneralisationSpace> space_;
  std::unique_ptr<Loss> loss_;
};

/// The tree of the natural supersets that may have classes of their own.
class SupersetTree {
 public:
  struct Node {
    RecordRange records;
    std::vector<std::size_t> children;
  };

  SupersetTree(const Problem& problem, Ticker& ticker)
      : problem_(problem),
        ticker_(ticker),
        least_(std::max(problem.options.k, problem.options.promises.n)),
        others_(promised_constraints(problem.sensitive, problem.options.promises.without_t())),
        records_(at(problem.space.size())) {
    std::iota(records_.begin(), records_.end(), 0);
    grow({0, problem.space.size()}, 0);
  }

  /// The first one is the root, of all records.
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  /// Adds a node and the nodes below it; its records agree in the first `depth` columns.
  std::size_t grow(const RecordRange& records, std::size_t depth) {
    const std::size_t node = nodes_.size();
    nodes_.push_back({records, {}});
    for (; depth + 1 < problem_.columns.size(); ++depth) {
      const std::vector<RecordRange> parts = parts_by(problem_.columns[depth], records);
      // If all records agree in the next column as well, they are the same superset.
      if (parts.size() == 1) continue;
      if (!may_be_cut(problem_.columns[depth], parts)) break;
      for (const RecordRange& part : parts) {
        const std::size_t child = grow(part, depth + 1);
        nodes_[node].children.push_back(child);
      }
      break;
    }
    return node;
  }

  double value(Record i, std::size_t column) const {
    return problem_.table.value(problem_.rows[at(i)], column);
  }

  std::vector<RecordRange> parts_by(std::size_t column, const RecordRange& records) const {
    std::vector<RecordRange> parts;
    for (Record i = records.begin; i < records.end; ++i) {
      ticker_.step(4);
      if (parts.empty() || value(i, column) != value(i - 1, column)) parts.push_back({i, i});
      ++parts.back().end;
    }
    return parts;
  }

  bool may_be_cut(std::size_t column, const std::vector<RecordRange>& parts) const {
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (parts[p].size() < least_) return false;
      if (p > 0 &&
          !shown_apart(column, value(parts[p - 1].begin, column), value(parts[p].begin, column)))
        return false;
    }
    return others_.empty() || std::all_of(parts.begin(), parts.end(), [&](const RecordRange& part) {
             ticker_.step(std::int64_t{30} * part.size());
             return all_allow(others_, RecordSpan(records_.data() + part.begin, part.size()));
           });
  }

  /// False if rounding could publish two adjacent values as one. The bounds of ranges have fifteen
  /// digits.
  bool shown_apart(std::size_t column, double a, double b) const {
    const Column& of = problem_.table.columns[column];
    if (of.attribute.kind != Kind::numeric) return of.told_apart;
    const Rounding bound{Rounding::To::decimal, kAnyScale};
    const bool bounds = generalises(problem_.options) && of.rounding.to == Rounding::To::none;
    return round_to(of.rounding, a) != round_to(of.rounding, b) &&
           (!bounds || round_to(bound, a) != round_to(bound, b));
  }

  const Problem& problem_;
  Ticker& ticker_;
  Record least_;
  Constraints others_;  ///< promises beside closeness
  std::vector<Record> records_;
  std::vector<Node> nodes_;
};

/// Finds the cuts of least loss.
class Cuts {
 public:
  Cuts(const Problem& problem, const FormPart& form, Ticker& ticker)
      : problem_(problem), form_(form), loss_(problem, ticker), tree_(problem, ticker) {
    for (const SupersetTree::Node& node : tree_.nodes()) work_ += node.records.size();
  }

  Partition run() { return best_of(0).partition; }

 private:
  struct Solved {
    Partition partition;
    double loss = 0;
  };

  Solved best_of(std::size_t at) {
    const SupersetTree::Node& node = tree_.nodes()[at];
    Solved apart = children_of(node);
    Solved together;
    together.partition = form_(node.records, clock_for(node.records)).partition;
    together.loss = loss_.of(node.records, together.partition);
    const bool cut = !node.children.empty() && apart.loss < together.loss * (1 - kNoise);
    return cut ? std::move(apart) : std::move(together);
  }

  Solved children_of(const SupersetTree::Node& node) {
    Solved all;
    for (const std::size_t child : node.children) {
      const Solved one = best_of(child);
      for (const ClassId c : one.partition.class_of)
        all.partition.class_of.push_back(all.partition.classes + c);
      all.partition.classes += one.partition.classes;
      all.loss += one.loss;
    }
    return all;
  }

  /// Records share the time; each node passes its unused time on.
  std::function<double()> clock_for(const RecordRange& records) {
    if (!problem_.clock) return {};
    done_ += records.size();
    const double begin = problem_.clock();
    const double end = static_cast<double>(done_) / static_cast<double>(work_);
    return [clock = problem_.clock, begin, end] {
      return begin < end ? (clock() - begin) / (end - begin) : 1;
    };
  }

  const Problem& problem_;
  const FormPart& form_;
  ClassLoss loss_;
  SupersetTree tree_;
  std::int64_t work_ = 0;  ///< records of all nodes
  std::int64_t done_ = 0;
};

}  // namespace

void check_beside_supersets(const Promises& promises) {
  if (const Promise* other = find_made(promises, [](const Promise& promise) {
        return promise.relative && (promise.kind & (kPromiseT | kPromiseNt)) == 0;
      }))
    throw Error(ErrorKind::invalid_parameter,
                std::string("(n,t)-closeness cannot be combined with ") + other->name);
}

Classification form_within_supersets(const Problem& problem, const FormPart& form, Ticker& ticker) {
  check_beside_supersets(problem.options.promises);
  return {Cuts(problem, form, ticker).run()};
}

}  // namespace anonkit
