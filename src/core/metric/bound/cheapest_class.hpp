#pragma once

// The pricing problem of column generation: under prices of records, the class with a given record
// whose loss exceeds the prices of its records least, per record.
//
// Phases, for one record and each size of a class: a branch takes the candidates
// (class_candidates.hpp) one by one, in ascending order of a score, and is left when the scores of
// the members that it still needs exclude a better class. Invariant: the answer is a lower bound,
// even if the work ends early. Memory: quadratic in the number of candidates.
//
//   CheapestClass search(points, 3, 5);
//   const CheapestClass::Answer answer = search.of(i, priced, ticker);

#include <cstdint>
#include <vector>

#include "base/ticker.hpp"
#include "metric/bound/class_candidates.hpp"
#include "metric/bound/class_column.hpp"
#include "metric/bound/class_points.hpp"

namespace anonkit {

/// Searches of one thread. The points must outlive it.
class CheapestClass {
 public:
  struct Answer {
    double least;                      ///< no class with the record has a smaller excess
    std::vector<ClassColumn> columns;  ///< found below the known excess, the best of each size
    std::int64_t work;                 ///< as a ticker's steps
  };

  /// Classes of `smallest` to `largest` records.
  CheapestClass(const ClassPoints& points, Record smallest, Record largest);

  /// Classes with a record of point i. Beyond some work, branches that are still open count with
  /// their bounds.
  Answer of(std::int32_t i, const PricedPoints& priced, Ticker& ticker);

 private:
  /// A point that may join, with so many records.
  struct Candidate {
    std::int32_t place;   ///< in points_of_search_
    std::int32_t column;  ///< in rows of distances
    Record records;
    double to_chosen;  ///< the sum of its distances from the members so far
    double score;      ///< at most what it adds to the cost of the class
  };

  static bool scores_less(const Candidate& a, const Candidate& b) {
    return a.score < b.score || (a.score == b.score && a.place < b.place);
  }
  static double sum_from(const std::vector<Candidate>& sorted, std::size_t first, Record needed);

  void collect(std::int32_t i);
  void search(Record size, double price);
  void branch(Record members, double pairs, double paid);
  void take(const std::vector<Candidate>& candidates, std::size_t first, Record members);
  void finish(double cost);
  void score_by_nearest(std::vector<Candidate>& candidates, Record needed);
  void score_by_pairs(std::vector<Candidate>& candidates, Record needed);
  bool drop_dear(std::vector<Candidate>& candidates, double cost, Record needed);
  double least_sum(const std::vector<Candidate>& candidates, Record needed);
  ClassColumn found_column() const;
  void spend(std::size_t work);

  std::int32_t point(const Candidate& one) const { return points_of_search_[at(one.place)]; }
  double price(const Candidate& one) const { return (*prices_)[at(point(one))]; }
  const double* row(const Candidate& one);
  double best_cost() const { return best_ * size_ * size_; }

  const ClassPoints& points_;
  ClassCandidates candidates_;
  Record smallest_, largest_;
  const std::vector<double>* prices_ = nullptr;
  Ticker* ticker_ = nullptr;
  std::int64_t work_ = 0;

  std::vector<std::int32_t> points_of_search_;  ///< the searched point comes first
  std::vector<std::vector<double>> rows_;       ///< distances between them, as far as needed
  std::vector<Candidate> all_;
  Record size_ = 0;  ///< of the class that is searched
  double best_ = 0;  ///< the least known excess
  double open_ = 0;  ///< at most that of classes left unsearched
  bool found_ = false;
  std::vector<std::int32_t> chosen_, found_members_;  ///< places
  std::vector<std::vector<Candidate>> levels_;        ///< by the number of members so far
  std::vector<Candidate> least_;
  std::vector<double> shared_, costs_, counts_;
};

}  // namespace anonkit
