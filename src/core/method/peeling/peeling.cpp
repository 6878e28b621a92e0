#include "method/peeling/peeling.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

#include "base/at.hpp"
#include "base/random.hpp"
#include "method/peeling/ladder.hpp"
#include "search/loss/ncp_loss.hpp"

namespace anonkit {
namespace {

// More combinations take longer than they gain, in all and for each record.
constexpr std::size_t kMostNodes = 100000, kNodesOfRecord = 100;
// The nodes are ordered anew when so many of the free records are left.
constexpr double kOrderAnew = 0.9;
// The most visits of a record, and of all records together.
constexpr double kVisitsEach = 2000, kVisitsOfAll = 2e8;

/// A combination of levels. Its number has the levels as digits.
struct Node {
  double loss;
  std::uint32_t number;
  bool operator<(const Node& other) const {
    return loss != other.loss ? loss < other.loss : number < other.number;
  }
};

/// The lattice of levels.
class Lattice {
 public:
  Lattice(const GeneralisationSpace& space, Record k, Ticker& ticker)
      : ladders_(
            ladders_of(space, k, std::min(kMostNodes, kNodesOfRecord * at(space.size())), ticker)),
        ticker_(ticker) {
    if (ladders_.empty()) return;
    std::uint32_t nodes = 1;
    for (const Ladder& ladder : ladders_) nodes *= static_cast<std::uint32_t>(ladder.levels.size());
    nodes_.reserve(nodes);
    for (std::uint32_t number = 0; number < nodes; ++number)
      nodes_.push_back({loss_of(number), number});
    std::sort(nodes_.begin(), nodes_.end());
    barren_.assign(nodes, false);
    probed_.assign(nodes, false);
  }

  std::size_t size() const { return nodes_.size(); }
  std::uint32_t node(std::size_t place) const { return nodes_[place].number; }

  /// Orders the nodes from a place on by their loss for these records.
  void order(std::size_t from, const std::vector<Record>& records) {
    for (Ladder& ladder : ladders_) ladder.measure(records, ticker_);
    const auto first = nodes_.begin() + static_cast<std::ptrdiff_t>(from);
    for (auto node = first; node != nodes_.end(); ++node) node->loss = loss_of(node->number);
    std::sort(first, nodes_.end());
  }

  /// Numbers that are equal for records of one group of the node.
  void keys_of(std::uint32_t number, const std::vector<Record>& records,
               std::vector<std::uint64_t>& keys) const {
    keys.assign(records.size(), 0);
    for_levels(number, [&](const Ladder& ladder, std::size_t l) {
      const LadderLevel& level = ladder.levels[l];
      for (std::size_t f = 0; f < records.size(); ++f)
        keys[f] += level.keys[at(ladder.codes[at(records[f])])];
    });
    for (std::uint64_t& key : keys) key = mix(key);
  }

  /// True if the node is known to have no group of k records.
  bool barren(std::uint32_t number) const { return barren_[number]; }

  /// Notes that the node has no group of k records, nor have the nodes below it.
  void set_barren(std::uint32_t number) { mark(number, 0, 0, 1); }

  /// The node with every level raised by so many; the same node if it was asked for before.
  std::uint32_t probe_above(std::uint32_t number, std::size_t by) {
    std::uint32_t raised = 0, place = 1;
    for_levels(number, [&](const Ladder& ladder, std::size_t l) {
      raised += place * static_cast<std::uint32_t>(std::min(l + by, ladder.levels.size() - 1));
      place *= static_cast<std::uint32_t>(ladder.levels.size());
    });
    if (probed_[raised]) return number;
    probed_[raised] = true;
    return raised;
  }

 private:
  template <class Visit>
  void for_levels(std::uint32_t number, Visit visit) const {
    for (const Ladder& ladder : ladders_) {
      const auto radix = static_cast<std::uint32_t>(ladder.levels.size());
      visit(ladder, number % radix);
      number /= radix;
    }
  }

  double loss_of(std::uint32_t number) const {
    double loss = 0;
    for_levels(number, [&](const Ladder& ladder, std::size_t l) { loss += ladder.levels[l].loss; });
    return loss;
  }

  // Marks every combination of levels up to those of the number, from attribute j on.
  void mark(std::uint32_t number, std::size_t j, std::uint32_t marked, std::uint32_t place) {
    if (j == ladders_.size()) {
      ticker_.step(2);
      barren_[marked] = true;
      return;
    }
    const auto radix = static_cast<std::uint32_t>(ladders_[j].levels.size());
    for (std::uint32_t l = 0; l <= number % radix; ++l)
      mark(number / radix, j + 1, marked + place * l, place * radix);
  }

  std::vector<Ladder> ladders_;
  Ticker& ticker_;
  std::vector<Node> nodes_;
  std::vector<bool> barren_, probed_;
};

/// Counts records by key, with open addressing.
class Groups {
 public:
  /// The group of each record, as a slot. Returns the size of the largest group.
  Record form(const std::vector<std::uint64_t>& keys, std::vector<std::size_t>& slot_of) {
    std::size_t size = 16;
    while (size < 2 * keys.size()) size *= 2;
    slots_.assign(size, {0, 0});
    slot_of.resize(keys.size());
    Record most = 0;
    for (std::size_t f = 0; f < keys.size(); ++f) {
      std::size_t slot = keys[f] & (size - 1);
      while (slots_[slot].records > 0 && slots_[slot].key != keys[f])
        slot = (slot + 1) & (size - 1);
      slots_[slot].key = keys[f];
      most = std::max(most, ++slots_[slot].records);
      slot_of[f] = slot;
    }
    return most;
  }
  Record records(std::size_t slot) const { return slots_[slot].records; }

 private:
  struct Slot {
    std::uint64_t key;
    Record records;
  };
  std::vector<Slot> slots_;
};

class Peeling {
 public:
  Peeling(const GeneralisationSpace& space, Record k, const std::vector<Constraint*>& constraints,
          Ticker& ticker)
      : space_(space),
        k_(k),
        constraints_(constraints),
        ticker_(ticker),
        lattice_(space, k, ticker),
        visits_(std::min(kVisitsEach * space.size(), kVisitsOfAll)) {
    found_.class_of.assign(at(space.size()), kNone);
    free_.resize(at(space.size()));
    std::iota(free_.begin(), free_.end(), 0);
  }

  std::optional<Partition> run() {
    if (lattice_.size() == 0) return {};
    std::size_t ordered = free_.size();
    for (std::size_t place = 0; place < lattice_.size() && free_count() >= k_; ++place) {
      if (visits_ < 0) return {};
      if (static_cast<double>(free_.size()) < kOrderAnew * static_cast<double>(ordered)) {
        ordered = free_.size();
        lattice_.order(place, free_);
      }
      visit(lattice_.node(place));
    }
    if (!join_the_rest()) return {};
    number_by_first_record(found_);
    return std::move(found_);
  }

 private:
  Record free_count() const { return static_cast<Record>(free_.size()); }

  void visit(std::uint32_t node) {
    if (lattice_.barren(node)) return;
    if (form_groups(node)) {
      take_groups();
    } else {
      rule_out(node);
    }
  }

  /// True if a group of the node has k free records.
  bool form_groups(std::uint32_t node) {
    visits_ -= static_cast<double>(free_.size());
    ticker_.step(2 * (space_.dimension() + 4) * static_cast<std::int64_t>(free_.size()));
    lattice_.keys_of(node, free_, keys_);
    return groups_.form(keys_, slots_) >= k_;
  }

  /// Looks ever further above a node without groups for another one, which rules out all nodes
  /// below it.
  void rule_out(std::uint32_t node) {
    std::uint32_t highest = node;
    for (std::size_t by = 1;; by *= 2) {
      const std::uint32_t above = lattice_.probe_above(node, by);
      if (above == node || lattice_.barren(above) || form_groups(above)) break;
      highest = above;
    }
    lattice_.set_barren(highest);
  }

  /// Makes classes of the groups that have k records and keep the constraints.
  void take_groups() {
    order_.clear();
    for (std::size_t f = 0; f < free_.size(); ++f)
      if (groups_.records(slots_[f]) >= k_) order_.push_back(f);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return slots_[a] < slots_[b]; });
    for (std::size_t from = 0, to = 0; from < order_.size(); from = to) {
      members_.clear();
      for (to = from; to < order_.size() && slots_[order_[to]] == slots_[order_[from]]; ++to)
        members_.push_back(free_[order_[to]]);
      if (!allowed(members_)) continue;
      for (const Record i : members_) found_.class_of[at(i)] = found_.classes;
      ++found_.classes;
    }
    free_.erase(std::remove_if(free_.begin(), free_.end(),
                               [&](Record i) { return found_.class_of[at(i)] != kNone; }),
                free_.end());
  }

  bool allowed(const std::vector<Record>& members) const {
    if (constraints_.empty()) return true;
    ticker_.step(50 * static_cast<std::int64_t>(members.size()));
    return std::all_of(constraints_.begin(), constraints_.end(), [&](const Constraint* constraint) {
      return constraint->allows(RecordSpan(members));
    });
  }

  /// Each record left joins the class where it costs least and is allowed; false if one has none.
  bool join_the_rest() {
    if (free_.empty()) return true;
    number_by_first_record(found_);  // ties go to the class of the lower record
    NcpLoss loss(space_);
    loss.begin(found_.classes);
    const Members formed = members_of(found_);
    std::vector<std::vector<Record>> classes;
    for (const RecordSpan records : formed) {
      loss.assign(static_cast<ClassId>(classes.size()), records);
      classes.emplace_back(records.begin(), records.end());
    }
    return std::all_of(free_.begin(), free_.end(),
                       [&](Record i) { return join(i, loss, classes); });
  }

  bool join(Record i, NcpLoss& loss, std::vector<std::vector<Record>>& classes) {
    std::vector<std::pair<double, ClassId>> costs;
    for (ClassId c = 0; c < found_.classes; ++c)
      costs.emplace_back(loss.delta({c, RecordSpan(classes[at(c)]), kNone, i}), c);
    ticker_.step(4 * (space_.dimension() + 4) * std::int64_t{found_.classes});
    // The first one is usually allowed.
    const auto dearer = std::greater<>();
    std::make_heap(costs.begin(), costs.end(), dearer);
    for (auto left = costs.end(); left != costs.begin(); --left) {
      std::pop_heap(costs.begin(), left, dearer);
      const ClassId c = (left - 1)->second;
      std::vector<Record>& members = classes[at(c)];
      members.push_back(i);
      if (allowed(members)) {
        loss.apply(
            {c, RecordSpan(members.data(), static_cast<Record>(members.size()) - 1), kNone, i});
        found_.class_of[at(i)] = c;
        return true;
      }
      members.pop_back();
    }
    return false;
  }

  const GeneralisationSpace& space_;
  Record k_;
  const std::vector<Constraint*>& constraints_;
  Ticker& ticker_;
  Lattice lattice_;
  double visits_;  ///< left
  Partition found_;
  std::vector<Record> free_;
  Groups groups_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::size_t> slots_, order_;
  std::vector<Record> members_;
};

}  // namespace

std::optional<Partition> peel(const GeneralisationSpace& space, Record k,
                              const std::vector<Constraint*>& constraints, Ticker& ticker) {
  return Peeling(space, k, constraints, ticker).run();
}

}  // namespace anonkit
