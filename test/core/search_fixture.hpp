#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "constraint/constraint.hpp"
#include "data/space.hpp"
#include "search/loss.hpp"

namespace anonkit {

/// What a class looks like to someone who only listens to the announcements.
class Listener {
 public:
  void begin(ClassId capacity) { classes_.assign(static_cast<std::size_t>(capacity), {}); }
  const std::vector<Record>& of(ClassId c) const {
    return classes_.at(static_cast<std::size_t>(c));
  }

  std::vector<Record> after(const Change& change) const {
    std::vector<Record> before(change.members.begin(), change.members.end());
    std::vector<Record> known = of(change.id);
    std::sort(before.begin(), before.end());
    std::sort(known.begin(), known.end());
    EXPECT_EQ(before, known) << "the change shows other members than were announced";
    if (change.out != kNobody) known.erase(std::find(known.begin(), known.end(), change.out));
    if (change.in != kNobody) known.push_back(change.in);
    return known;
  }
  void apply(const Change& change) {
    classes_.at(static_cast<std::size_t>(change.id)) = after(change);
  }
  void assign(ClassId id, const Group& members) {
    classes_.at(static_cast<std::size_t>(id)).assign(members.begin(), members.end());
  }

 private:
  std::vector<std::vector<Record>> classes_;
};

/// Passes everything on to a constraint and compares every answer with a slow audit, which returns
/// +1 for a class that satisfies the model, -1 for one that does not, 0 if it cannot tell.
class AuditedConstraint final : public Constraint {
 public:
  using Audit = std::function<int(const std::vector<Record>&)>;
  AuditedConstraint(Constraint& inner, Audit audit) : inner_(inner), audit_(std::move(audit)) {}

  void begin(ClassId capacity) override {
    listener_.begin(capacity);
    inner_.begin(capacity);
  }
  bool allows(const Group& members) const override {
    return judged({members.begin(), members.end()}, inner_.allows(members));
  }
  bool allows(const Change& change) const override {
    return judged(listener_.after(change), inner_.allows(change));
  }
  void apply(const Change& change) override {
    listener_.apply(change);
    EXPECT_GE(audit_(listener_.of(change.id)), 0) << "a class was accepted that breaks the model";
    inner_.apply(change);
  }
  void assign(ClassId id, const Group& members) override {
    listener_.assign(id, members);
    if (members.size() > 0) {
      EXPECT_GE(audit_(listener_.of(id)), 0);
    }
    inner_.assign(id, members);
  }

  mutable std::int64_t accepted = 0;
  mutable std::int64_t refused = 0;

 private:
  bool judged(const std::vector<Record>& members, bool allowed) const {
    const int verdict = audit_(members);
    if (verdict != 0) {
      EXPECT_EQ(allowed, verdict > 0);
    }
    ++(allowed ? accepted : refused);
    return allowed;
  }

  Constraint& inner_;
  Audit audit_;
  Listener listener_;
};

/// Listens to a search, and hands over each state that it reaches.
class StateListener final : public Constraint {
 public:
  using Look = std::function<void(const Partition&)>;
  StateListener(Record records, Look look) : records_(records), look_(std::move(look)) {}

  void begin(ClassId capacity) override {
    listener_.begin(capacity);
    capacity_ = capacity;
  }
  bool allows(const Group&) const override { return true; }
  bool allows(const Change&) const override {
    look();
    return true;
  }
  void apply(const Change& change) override {
    listener_.apply(change);
    changed_ = true;
  }
  void assign(ClassId id, const Group& members) override {
    listener_.assign(id, members);
    changed_ = true;
  }

 private:
  // While a class is being dissolved, its records are in two: that is no state yet.
  void look() const {
    if (!changed_) return;
    Partition state{std::vector<ClassId>(static_cast<std::size_t>(records_), kSuppressed), 0};
    Record placed = 0;
    for (ClassId c = 0; c < capacity_; ++c) {
      for (const Record i : listener_.of(c)) {
        placed += state.class_of[static_cast<std::size_t>(i)] == kSuppressed ? 1 : records_;
        state.class_of[static_cast<std::size_t>(i)] = state.classes;
      }
      if (!listener_.of(c).empty()) ++state.classes;
    }
    if (placed != records_) return;
    changed_ = false;
    look_(state);
  }

  Record records_;
  Look look_;
  Listener listener_;
  ClassId capacity_ = 0;
  mutable bool changed_ = false;
};

/// Compares every difference that a loss reports with the costs computed afresh.
class AuditedLoss final : public Loss {
 public:
  AuditedLoss(Loss& inner, double tolerance) : inner_(inner), tolerance_(tolerance) {}

  void begin(ClassId capacity) override {
    listener_.begin(capacity);
    inner_.begin(capacity);
  }
  double cost(const Group& members) const override { return inner_.cost(members); }
  double delta(const Change& change) const override {
    const double delta = inner_.delta(change);
    EXPECT_NEAR(delta, difference(change), tolerance_);
    return delta;
  }
  double delta(const Change& from, const Change& to) const override {
    const double delta = inner_.delta(from, to);
    EXPECT_NEAR(delta, difference(from) + difference(to), tolerance_);
    return delta;
  }
  void apply(const Change& change) override {
    listener_.apply(change);
    inner_.apply(change);
  }
  void assign(ClassId id, const Group& members) override {
    listener_.assign(id, members);
    inner_.assign(id, members);
  }

 private:
  double difference(const Change& change) const {
    return cost(Group(listener_.after(change))) - cost(change.members);
  }

  Loss& inner_;
  double tolerance_;
  Listener listener_;
};

/// Records dealt in the given order into classes of k or a little more.
inline Partition deal(const std::vector<Record>& order, ClassId classes) {
  Partition partition;
  partition.class_of.resize(order.size());
  partition.classes = classes;
  for (std::size_t at = 0; at < order.size(); ++at)
    partition.class_of[static_cast<std::size_t>(order[at])] =
        static_cast<ClassId>(at % static_cast<std::size_t>(classes));
  return partition;
}

inline std::vector<Record> in_order(Record n) {
  std::vector<Record> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

inline int roll(std::mt19937_64& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<std::uint64_t>(most - least + 1));
}

/// Numbers on a coarse or a fine grid, so that some spaces are full of ties and duplicates.
inline Space random_space(std::mt19937_64& random, Record n,
                          const std::vector<Attribute>& attributes) {
  const int levels = roll(random, 0, 1) == 0 ? 4 : 100000;
  std::vector<double> values;
  for (Record i = 0; i < n; ++i)
    for (const Attribute& a : attributes)
      values.push_back(a.kind == Kind::numeric ? roll(random, -levels, levels) * 3.0 / levels
                                               : roll(random, 0, a.categories - 1));
  return Space(std::move(values), attributes);
}

}  // namespace anonkit
