#pragma once

// The normalised certainty penalty as a loss of the search, summed over records and weighted
// attributes (Xu et al., Utility-Based Anonymization Using Local Recoding, KDD 2006, section 3).
//
// State per class: the two smallest and the two largest coordinates of each attribute. Of a set of
// at most 64 categories, as bits, those that a record has and those that several have; of a larger
// set their counts. The extremes and categories without any one record follow from it. A change
// that removes an extreme triggers a scan for the new second one; one that removes a category of
// several records, a scan for whether several are left. The extremes of positions also
// determine common ancestors (recode/generalisation.hpp). Invariant: costs are sums of equal terms
// in one order for any history of changes. So they equal a computation from scratch bit by bit.
// Memory: four coordinates per class and attribute, and per class and set 24 bytes, or a count of
// each category.
//
//   NcpLoss loss(space);
//   loss.begin(1);
//   loss.assign(0, members);  // then loss.delta(change) is the cost of a change of class 0

#include <cstdint>
#include <utility>
#include <vector>

#include "base/at.hpp"
#include "recode/generalisation.hpp"
#include "search/loss/loss.hpp"

namespace anonkit {

/// Every record of a class costs as much as the class's published values:
///   range      its share of the domain's extent
///   hierarchy  the share of values under the lowest common ancestor; 0 for a single value
///   set        (different categories - 1) / (categories - 1), like a range of ranks
/// A row counts as the number of records that it represents. delta costs O(d), and O(log distinct)
/// per set of more than 64 categories.
class NcpLoss final : public Loss {
 public:
  explicit NcpLoss(const GeneralisationSpace& space);

  void begin(ClassId capacity) override;
  double cost(const RecordSpan& members) const override;
  double delta(const Change& change) const override;
  double least_of_swap(const Change& leave) const override;
  void prefetch(Record i) const override { __builtin_prefetch(row(i)); }
  /// A hotter start loses what peeling found. More than half of the changes would gain little,
  /// unless they form several classes anew.
  Schedule schedule() const override { return {0.5, 0.05, 0.5, 2.5, 3}; }
  void apply(const Change& change) override;
  void assign(ClassId id, const RecordSpan& members) override;

 private:
  /// How many records of a class have each category.
  class Counts {
   public:
    std::size_t distinct() const { return of_codes_.size(); }
    std::size_t distinct_after(std::int32_t in, std::int32_t out) const;
    void add(std::int32_t code);
    void remove(std::int32_t code);

   private:
    struct Count {
      std::int32_t code;
      Record records;
    };
    template <class List>
    static auto place(List& of_codes, std::int32_t code);
    Record records(std::int32_t code) const;

    std::vector<Count> of_codes_;  ///< ascending by code
  };

  /// The weighted penalties of a hierarchy: of a few values as a table, since the search asks for
  /// little else.
  class Tree {
   public:
    Tree(const Domain& domain, Record records);
    double penalty(double low, double high) const {
      return table_.empty() ? domain_->weight * domain_->penalty(low, high)
                            : table_[static_cast<std::size_t>(low) * at(domain_->values) +
                                     static_cast<std::size_t>(high)];
    }

   private:
    const Domain* domain_;
    std::vector<double> table_;  ///< by lowest and highest position
  };

  /// The weighted penalties of a set, of few categories as a table.
  class Set {
   public:
    explicit Set(const Domain& domain);
    bool of_few() const { return !table_.empty(); }
    double penalty(std::size_t distinct) const {
      return of_few() ? table_[distinct] : domain_->weight * domain_->penalty_of_set(distinct);
    }

   private:
    const Domain* domain_;
    std::vector<double> table_;  ///< by the number of different categories
  };

  /// The categories of a class, of at most 64.
  class Held {
   public:
    std::size_t distinct() const { return distinct_; }
    /// The number of different ones without `out` and with `in`; -1 stands for no record.
    std::size_t distinct_after(std::int32_t in, std::int32_t out) const;
    void add(std::int32_t code);
    /// Removes the category of a record; `others` other records have it, counted up to 2.
    void remove(std::int32_t code, int others);

   private:
    std::uint64_t any_ = 0;   ///< as bits: those of a record or several
    std::uint64_t many_ = 0;  ///< those of several
    std::size_t distinct_ = 0;
  };

  // Four blocks of `width_` coordinates per class.
  enum Block : std::size_t { kLow, kSecondLow, kHigh, kSecondHigh, kBlocks };

  double* bounds(ClassId c) { return bounds_.data() + at(c) * kBlocks * width_; }
  const double* bounds(ClassId c) const { return bounds_.data() + at(c) * kBlocks * width_; }
  const double* row(Record i) const {
    return i == kNone ? nobody_.data() : rows_.data() + at(i) * width_;
  }
  /// The record's category, -1 of nobody.
  std::int32_t code(Record i, std::size_t set) const {
    return i == kNone ? -1 : codes_[at(i) * sets_.size() + set];
  }
  std::size_t place_of(ClassId c, std::size_t set) const { return at(c) * sets_.size() + set; }

  double mass(const RecordSpan& members) const;
  double mass_after(const Change& change) const;
  double penalty_after(const Change& change) const;
  double cost_after(const Change& change) const;
  double plus_sets(const Change& change, double sum) const;
  Held held_by(const RecordSpan& members, std::size_t set) const;
  Counts counts_of(const RecordSpan& members, std::size_t set) const;
  void apply_to_held(const Change& change, std::size_t set);
  void apply_to_counts(const Change& change, std::size_t set);
  void rescan(const Change& change, std::size_t j, double* bounds) const;
  void bound(const RecordSpan& members, double* bounds) const;
  double penalty_of_bounds(const double* low, const double* high) const;

  std::size_t ranges_;  ///< range attributes in a row, padded to a multiple of four
  std::size_t width_;   ///< ranges, then hierarchies
  std::vector<double> rows_;
  std::vector<double> nobody_;  ///< a row that compares as neither equal nor less
  std::vector<Tree> trees_;
  std::vector<Set> sets_;
  std::vector<std::int32_t> codes_;  ///< n * sets
  std::vector<Record> weights_;      ///< by row; empty if each is one record

  std::vector<double> bounds_;
  std::vector<double> costs_;
  std::vector<double> masses_;  ///< by class: its records, if rows have weights
  std::vector<Held> held_;      ///< by class and set; used of sets of few categories
  std::vector<Counts> counts_;  ///< by class and set; used of the others
};

}  // namespace anonkit
