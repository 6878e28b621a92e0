#include "pg/risk/pair_attack.hpp"

#include <cmath>

#include "base/at.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/settings.hpp"

namespace anonkit::pg {
namespace {

/// The sensitive columns in codes; numbers by grades, which `coded` owns.
std::vector<SensitivePair> in_codes(const PairData& data, int first, int count,
                                    std::vector<Tenths>& coded, Ticker& ticker) {
  const CellsPair cells = cells_of(data, first, count);
  std::vector<SensitivePair> sensitive;
  coded.resize(at(count));
  for (int a = 0; a < count; ++a) {
    const PairColumn& column = data.columns[first + a];
    if (!column.numeric) {
      const std::int32_t* codes = column.ranks.codes;
      sensitive.push_back({codes, codes + data.rows[0], column.ranks.distinct});
      continue;
    }
    Tenths& own = coded[at(a)];
    own = grades(cells, at(a), ticker);
    sensitive.push_back({own.original.data(), own.masked.data(), own.values});
  }
  return sensitive;
}

void write_guesses(const char* column, const GuessedRight& guessed, Figures& figures) {
  const auto advantage = [&](double right) {
    return guessed.base < 1 ? (right - guessed.base) / (1 - guessed.base) : 0;
  };
  static constexpr char better[] =
      "Gain of the guess over the base rate, as a share of the largest possible gain.";
  figures.add("base", column, guessed.base,
              "Share guessed right if the guess is always the most frequent value of the release.");
  figures.add("class", column, guessed.by_class,
              "Share guessed right from the most frequent value of the nearest class.");
  figures.add("nearest", column, guessed.by_nearest,
              "Share guessed right from the most frequent value of the k nearest masked records.");
  figures.add("bayes", column, guessed.by_bayes,
              "Share guessed right by a naive Bayes classifier trained on the release.");
  figures.add("class_advantage", column, advantage(guessed.by_class), better);
  figures.add("nearest_advantage", column, advantage(guessed.by_nearest), better);
  figures.add("bayes_advantage", column, advantage(guessed.by_bayes), better);
}

void write_exposure(const char* column, const Exposure& exposure, Figures& figures) {
  const bool images_known = !std::isnan(exposure.solved);
  figures.add("range_ends", column, exposure.range_ends,
              images_known
                  ? "Share of the records whose value is an end of the range published for them."
                  : "Share of the records whose value is an end of a published range.");
  figures.add("lonely_range_ends", column, exposure.lonely_ends,
              "Share of the records whose value is such an end and nobody else's.");
  if (!images_known) return;
  figures.add(
      "solved_centroids", column, exposure.solved,
      "Share of the records whose value an attacker computes right from the centroid and the "
      "values of all others of the class; where centroids are rounded, also by chance.");
}

std::vector<Exposure> exposures_of(const CellsPair& pair, const PublishedPoints& points,
                                   Ticker& ticker) {
  if (pair.image.empty()) return exposures_of_ends(pair, ticker);
  std::vector<std::int32_t> class_of;
  for (std::int32_t row = 0; row < pair.masked.rows; ++row)
    class_of.push_back(points.point_of(row));
  return exposures(pair, class_of, ticker);
}

}  // namespace

PairAttack& attack_pair(const PairData& data, const AttackedColumns& columns, Attacks attacks,
                        int32 k) {
  BackendTicker ticker;
  const int threads = thread_count();
  const CellsPair pair = pair_of(data, columns.qi, columns.key);
  const PublishedPoints points(pair, threads, ticker);
  std::vector<Tenths> coded;
  const std::vector<SensitivePair> sensitive =
      in_codes(data, columns.qi, columns.sensitive, coded, ticker);
  NearestAttack nearest;
  if (attacks != Attacks::inference || !sensitive.empty())
    nearest = attack_by_nearest(pair, points, sensitive, 1, threads, ticker);
  PairAttack found;
  if (attacks != Attacks::inference) {
    found.linkage = nearest.linkage;
    found.exact = exact_matches(pair, ticker);
  }
  if (attacks != Attacks::linkage) {
    found.guessed = guess(pair, points, sensitive, k, nearest, threads, ticker);
    found.exposures = exposures_of(pair, points, ticker);
  }
  return own_in_context(std::make_unique<PairAttack>(std::move(found)));
}

void add_links(const Linkage& linkage, bool images_known, Figures& figures) {
  const auto records = static_cast<double>(linkage.records);
  figures.add("records", nullptr, records, "Original records.");
  figures.add("candidates", nullptr, linkage.candidates,
              "Mean number of masked records that fit an original one best.");
  figures.add("single", nullptr, static_cast<double>(linkage.single) / records,
              "Share of the original records that one masked record alone fits best.");
  if (images_known)
    figures.add("correct", nullptr, static_cast<double>(linkage.correct) / records,
                "Share of the original records that one masked record alone fits best, their own.");
  figures.add("expected", nullptr, linkage.expected / records,
              images_known
                  ? "Expected share of correct links, with a random pick among those that fit best."
                  : "Largest possible expected share of correct links: without a key, nobody "
                    "knows whose image is among those that fit best.");
  figures.add("by_chance", nullptr, linkage.by_chance / records,
              "Expected share of correct links of a blind guess.");
}

void add_exact_matches(const ExactMatches& exact, Figures& figures) {
  figures.add("unique_records", nullptr, static_cast<double>(exact.uniques),
              "Original records alone in their values of the quasi-identifiers.");
  figures.add(
      "unique_exact_matches", nullptr, static_cast<double>(exact.matched),
      "Original records alone in their values that equal exactly one masked record, whether their "
      "own or another.");
  figures.add("unique_any_matches", nullptr, static_cast<double>(exact.found),
              "Original records alone in their values that equal one masked record or more: unique "
              "exact matches as NIST's SDNist counts them.");
}

void add_inferences(const PairAttack& found, const PairData& data, const AttackedColumns& columns,
                    Figures& figures) {
  for (int a = 0; a < columns.sensitive; ++a)
    write_guesses(data.columns[columns.qi + a].name, found.guessed[at(a)], figures);
  for (std::size_t j = 0; j < found.exposures.size(); ++j)
    if (data.columns[j].numeric) write_exposure(data.columns[j].name, found.exposures[j], figures);
}

}  // namespace anonkit::pg
