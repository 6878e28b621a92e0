// Members that nobody sets: no promise, no limit, no effort beyond the usual, and figures of
// nothing.

#include <gtest/gtest.h>

#include "base/options.hpp"
#include "cohort/cohorts.hpp"
#include "cohort/coverage.hpp"
#include "method/aggregate/aggregate.hpp"
#include "method/aggregate/sensitive_count.hpp"
#include "method/full_domain/full_domain.hpp"
#include "method/full_domain/node_constraint.hpp"
#include "method/linked/aligned_records.hpp"
#include "method/linked/group_cuts.hpp"
#include "method/linked/linked_tables.hpp"
#include "method/method.hpp"
#include "method/mondrian/cut.hpp"
#include "method/mondrian/grid_axis.hpp"
#include "method/peeling/ladder.hpp"
#include "method/pkclustering/clusters.hpp"
#include "method/pkclustering/conditions.hpp"
#include "method/pkclustering/pk_clustering.hpp"
#include "method/pkclustering/pool.hpp"
#include "method/tcloseness/tcloseness.hpp"
#include "metric/bound/class_prices.hpp"
#include "metric/bound/implied_constraints.hpp"
#include "metric/cell_changes.hpp"
#include "metric/centroid_loss.hpp"
#include "metric/class_metrics.hpp"
#include "metric/generalisation_loss.hpp"
#include "metric/information_loss.hpp"
#include "metric/lower_bound.hpp"
#include "model/aggregate_knowledge.hpp"
#include "model/joint_releases.hpp"
#include "model/kpqr_anonymity.hpp"
#include "model/linked_levels.hpp"
#include "model/linked_records.hpp"
#include "model/models.hpp"
#include "model/p_capacity.hpp"
#include "model/stored_versions.hpp"
#include "model/swapped_rows.hpp"
#include "pipeline.hpp"
#include "promise/population_limits.hpp"
#include "promise/promise.hpp"
#include "promise/promised.hpp"
#include "promise/risk_limits.hpp"
#include "promise/table_needs.hpp"
#include "recode/generalisation.hpp"
#include "recode/masked.hpp"
#include "recode/swapping.hpp"
#include "replay.hpp"
#include "replay_cells.hpp"
#include "replay_nights.hpp"
#include "risk/cells.hpp"
#include "risk/column_uniques.hpp"
#include "risk/exact_matches.hpp"
#include "risk/exposure.hpp"
#include "risk/inference.hpp"
#include "risk/population_classes.hpp"
#include "risk/population_uniques.hpp"
#include "risk/record_linkage.hpp"
#include "risk/reidentification.hpp"
#include "risk/weighted_risk.hpp"
#include "search/loss/loss.hpp"
#include "search/neighbours.hpp"
#include "search/refine.hpp"
#include "search/starts.hpp"
#include "sensitive/sensitive_attribute.hpp"
#include "settling.hpp"
#include "space/block_cuts.hpp"
#include "space/index/metric_kernels.hpp"
#include "space/point_sample.hpp"
#include "space/published_steps.hpp"
#include "table/nulls/kept_patterns.hpp"
#include "table/standardize.hpp"
#include "table/table.hpp"
#include "utility/distribution.hpp"
#include "utility/histogram.hpp"
#include "utility/k_marginal.hpp"
#include "utility/masking_loss.hpp"

namespace anonkit {
namespace {

template <class Member, class Number>
void expect_default(Member member, Number number, int place) {
  EXPECT_EQ(member, static_cast<Member>(number)) << "member " << place;
}

/// Members of one structure that all have this number.
template <class Number, class T, class... Members>
void expect_defaults(Number number, Members T::*... members) {
  const T one{};
  int place = 0;
  (expect_default(one.*members, number, place++), ...);
}

TEST(Defaults, PromiseNothing) {
  using P = Promises;
  expect_defaults(0, &P::p, &P::l, &P::entropy_l, &P::c, &P::alpha, &P::e, &P::t, &P::n, &P::q,
                  &P::r, &P::beta, &P::delta, &P::dominance, &P::risk_mean, &P::risk_above,
                  &P::risk_threshold, &P::k_map, &P::presence_least, &P::presence_largest);
  expect_defaults(0, &AggregateKnowledge::count, &AggregateKnowledge::attributes,
                  &AggregateKnowledge::d, &AggregateKnowledge::k);
  expect_defaults(0, &AggregateOptions::k, &AggregateOptions::d);
  expect_defaults(1, &AggregateOptions::p);
  expect_defaults(1, &FullDomainProblem::k);
  expect_defaults(1, &LinkedPromises::k, &LinkedPromises::alpha, &LinkedPromises::l);
  expect_defaults(1, &PkOptions::k, &PkOptions::p);
  expect_defaults(1, &TClosenessOptions::k);
  expect_defaults(0, &PopulationLimits::k_map, &PopulationLimits::least);
  expect_defaults(1, &PopulationLimits::largest);
  expect_defaults(1, &ValueLimits::share, &ValueLimits::distinct);
  expect_defaults(1, &ImpliedByTable::values, &ImpliedByTable::records);
  expect_defaults(1, &Persons::k);
  expect_defaults(1, &RiskLimits::mean, &RiskLimits::above, &RiskLimits::threshold);
  expect_defaults(1, &DistinctConstraint::distinct);
  expect_defaults(1, &ImpliedConstraints::smallest);
  expect_defaults(1, &SensitiveAttribute::t);
}

TEST(Defaults, AreTheUsualOptions) {
  expect_defaults(0.05, &Transparency::decoys);
  expect_defaults(0, &Transparency::adapt);
  expect_defaults(1, &Transparency::max_withheld);
  expect_defaults(0, &Options::k, &Options::refine_seconds, &Options::block_size, &Options::seed,
                  &Options::lower_bound_seconds);
  expect_defaults(1, &Options::threads);
  expect_defaults(0, &Acceptance::most_loss, &Acceptance::max_wait, &Acceptance::least);
  expect_defaults(0, &BoundOptions::rounds);
  expect_defaults(1, &BoundOptions::threads);
  expect_defaults(1200, &BoundOptions::block);
  expect_defaults(2, &ClassPrices::smallest);
  expect_defaults(3, &ClassPrices::largest);
  expect_defaults(1, &ClassPrices::threads);
  expect_defaults(3, &LinkedQuestion::largest_m);
  expect_defaults(5, &LinkedQuestion::k);
  expect_defaults(1, &LinkedQuestion::threads);
  expect_defaults(2, &ModelParameters::l);
  expect_defaults(0, &ModelParameters::q, &ModelParameters::n);
  expect_defaults(8, &ReplayOptions::classes);
  expect_defaults(16, &ReplayOptions::arrangements);
  expect_defaults(0, &ReplayOptions::seed);
  expect_defaults(40, &CellReplayOptions::cells);
  expect_defaults(8, &CellReplayOptions::persons);
  expect_defaults(4, &CellReplayOptions::classes);
  expect_defaults(60, &CellReplayOptions::values);
  expect_defaults(0, &CellReplayOptions::seed);
  expect_defaults(14, &Arrivals::max_wait);
  expect_defaults(5, &Arrivals::wait_loss);
  expect_defaults(1, &Arrivals::every);
  expect_defaults(1, &Schedule::first_temperature, &Schedule::effort);
  expect_defaults(0.02, &Schedule::last_temperature);
  expect_defaults(0.4, &Schedule::recreate);
  expect_defaults(0.5, &Schedule::recreate_many);
  expect_defaults(0, &RefineOptions::seed, &RefineOptions::table_records);
  expect_defaults(1, &RefineOptions::scale);
  EXPECT_EQ(TClosenessOptions{}.search.seed, 0U);
  EXPECT_EQ(TClosenessOptions{}.search.scale, 1);
  EXPECT_EQ(TClosenessOptions{}.search.table_records, 0);
  expect_defaults(0, &Coins::key, &Coins::probability);
}

TEST(Defaults, AreEmptyTables) {
  expect_defaults(0, &Table::rows);
  expect_defaults(0, &Column::width, &Column::deviation, &Column::extent);
  expect_defaults(0, &SensitiveColumn::nulls, &SensitiveColumn::distinct);
  expect_defaults(0, &SensitiveAttribute::values);
  expect_defaults(0, &Rounding::digits);
  expect_defaults(1, &Attribute::weight);
  expect_defaults(0, &Attribute::categories);
  expect_defaults(0, &Scale::location);
  expect_defaults(1, &Scale::scale);
  expect_defaults(1, &Domain::weight);
  expect_defaults(0, &Domain::values);
  expect_defaults(0, &PublishedSteps::step, &PublishedSteps::origin, &PublishedSteps::per_unit);
  expect_defaults(0, &CountedPoints::dimension);
  expect_defaults(1, &BlockCuts::root, &BlockCuts::count);
  expect_defaults(0, &AggregateRecords::size, &AggregateRecords::attributes);
  expect_defaults(0, &FullDomainProblem::records, &FullDomainProblem::population);
  expect_defaults(0, &LinkedTable::most_rows);
  expect_defaults(0, &LinkedTables::persons);
  expect_defaults(0, &CellColumn::categories);
  expect_defaults(0, &Cells::rows);
  expect_defaults(0, &JudgedTable::rows);
  expect_defaults(0, &PublishedRanges::records, &PublishedRanges::attributes);
  expect_defaults(0, &RowsSeen::rows);
  expect_defaults(0, &SampleSizes::records, &SampleSizes::classes, &SampleSizes::population);
}

TEST(Defaults, AreReleasesOfNothing) {
  expect_defaults(0, &Partition::classes);
  expect_defaults(0, &Classification::suppressed_cells);
  expect_defaults(0, &Anonymized::suppressed, &Anonymized::suppressed_cells);
  expect_defaults(0, &CellRecords::suppressed);
  expect_defaults(0, &KeptPlan::cells);
  expect_defaults(0, &ClassContent::size);
  expect_defaults(0, &CentroidLoss::sse, &CentroidLoss::sst);
  expect_defaults(0, &CellChanges::changed);
  expect_defaults(0, &InformationLoss::total, &InformationLoss::mean);
  expect_defaults(1, &GeneralisationLoss::prec);
  expect_defaults(0, &GeneralisationLoss::ncp, &GeneralisationLoss::entropy,
                  &GeneralisationLoss::suppressed_cells);
  using M = ClassMetrics;
  expect_defaults(0, &M::records, &M::classes, &M::smallest, &M::largest, &M::mean,
                  &M::discernibility, &M::normalized_average);
  using N = NodeFigures;
  expect_defaults(0, &N::smallest, &N::classes, &N::suppressed, &N::prec, &N::ncp, &N::avg,
                  &N::entropy);
  expect_defaults(0, &Outcome::suppressed, &Outcome::classes);
  expect_defaults(0, &AggregateRelease::ncp, &AggregateRelease::ncp_common);
  using T = TClosenessClasses;
  expect_defaults(0, &T::cluster_size, &T::swaps, &T::mergers);
  expect_defaults(0, &Slot::table, &Slot::number, &Slot::first_cell);
  expect_defaults(0, &GroupCut::slot, &GroupCut::low, &GroupCut::high, &GroupCut::fall);
  expect_defaults(0, &Cut::cost);
  expect_defaults(0, &GridBox::begin, &GridBox::end);
  expect_defaults(0, &LadderLevel::loss);
  expect_defaults(0, &Cluster::loss);
  expect_defaults(0, &Match::diversity, &Match::loss);
  expect_defaults(0, &AttributeCapacity::max_clusters, &AttributeCapacity::i_value);
  expect_defaults(0, &LowerBound::value);
  expect_defaults(0, &Neighbours::each);
  expect_defaults(0, &RefineResult::loss_before, &RefineResult::loss_after, &RefineResult::tried);
  expect_defaults(0, &SearchedStarts::won, &SearchedStarts::loss);
}

TEST(Defaults, AreFiguresOfNobody) {
  expect_defaults(0, &Place::cohort, &Place::holder);
  expect_defaults(0, &Acquaintance::cohort, &Acquaintance::holder);
  expect_defaults(0, &Cohort::size, &Cohort::exclusive);
  expect_defaults(0, &Register::persons);
  expect_defaults(0, &Roll::vacant, &Roll::stale, &Roll::changed, &Roll::outside);
  expect_defaults(0, &NewClass::size, &NewClass::exclusive, &NewClass::loss, &NewClass::waited);
  expect_defaults(0, &StratumCoverage::present, &StratumCoverage::published);
  using I = Intersection;
  expect_defaults(0, &I::places, &I::fewest_histories, &I::fewest_candidates, &I::certain,
                  &I::solved, &I::persons);
  using R = ReplayedClass;
  expect_defaults(0, &R::first, &R::size, &R::tried, &R::consistent, &R::belief_before,
                  &R::belief_after, &R::undetermined_before, &R::determined);
  using C = ReplayedCells;
  expect_defaults(0, &C::first, &C::column, &C::box, &C::form, &C::code);
  expect_defaults(1, &C::size);
}

TEST(Defaults, AreLevelsOfNoClass) {
  expect_defaults(0, &AggregateLevel::k, &AggregateLevel::worst, &AggregateLevel::distinct);
  expect_defaults(0, &RemainingValues::places, &RemainingValues::fewest,
                  &RemainingValues::determined);
  expect_defaults(0, &KpqrLevel::bound_classes);
  using L = LinkedValueLevel;
  expect_defaults(0, &L::table, &L::column, &L::share, &L::diversity, &L::share_unlinked);
  expect_defaults(0, &LinkedLevel::k, &LinkedLevel::alone, &LinkedLevel::below);
  expect_defaults(0, &PatternKey::high, &PatternKey::low);
  expect_defaults(0, &Model::tolerance);
  expect_defaults(0, &PCapacity::distinct, &PCapacity::max_clusters);
  expect_defaults(0, &SwapClaim::k);
  expect_defaults(0, &SwapVerdict::count);
  expect_defaults(1, &TableNeeds::values);
  expect_defaults(0, &TableNeeds::classes);
  using P = PresenceLevel;
  expect_defaults(0, &P::level, &P::worst_class, &P::classes_short, &P::records_short);
  expect_defaults(0, &Presence::least, &Presence::largest, &Presence::k_map);
}

TEST(Defaults, AreRisksAndStatisticsOfNothing) {
  expect_defaults(0, &ColumnUniques::of_set);
  expect_defaults(0, &ExactMatches::uniques, &ExactMatches::matched, &ExactMatches::found);
  expect_defaults(0, &Exposure::range_ends, &Exposure::lonely_ends, &Exposure::solved);
  using G = GuessedRight;
  expect_defaults(0, &G::base, &G::by_class, &G::by_nearest, &G::by_bayes);
  using L = Linkage;
  expect_defaults(0, &L::records, &L::single, &L::correct, &L::candidates, &L::expected,
                  &L::by_chance);
  expect_defaults(0, &ProbabilisticLinkage::matches);
  using R = Reidentification;
  expect_defaults(0, &R::largest, &R::mean, &R::above_threshold, &R::uniques);
  expect_defaults(0, &WeightedRisk::population, &WeightedRisk::matches, &WeightedRisk::uniques);
  expect_defaults(1, &Distribution::unit);
  expect_defaults(0, &Distribution::mean, &Distribution::variance_in_units);
  expect_defaults(0, &Bins::low);
  expect_defaults(1, &Bins::width, &Bins::count);
  expect_defaults(0, &KMarginal::score, &KMarginal::sets, &KMarginal::all);
  expect_defaults(0, &MaskingLoss::squared, &MaskingLoss::ncp, &MaskingLoss::discernibility);
  using F = FarthestBound;
  expect_defaults(0, &F::drift, &F::constant, &F::curvature, &F::antipode);
  expect_defaults(1, &F::factor);
}

}  // namespace
}  // namespace anonkit
