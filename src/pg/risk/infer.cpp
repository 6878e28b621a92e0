// anon_infer: an attacker's inferences about sensitive values from a release, and about original
// numbers from the way that published ones were computed.

#include <cmath>

#include "base/at.hpp"
#include "risk/exposure.hpp"
#include "risk/inference.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/read/pair_reader.hpp"
#include "pg/risk/arguments.hpp"
#include "pg/risk/figure_rows.hpp"

namespace anonkit::pg {
namespace {

struct Inferences {
  std::vector<GuessedRight> guessed;  ///< one per sensitive column
  std::vector<Exposure> exposures;    ///< one per quasi-identifier
};

/// The sensitive columns in codes; numbers by tenths, which `coded` owns.
std::vector<SensitivePair> in_codes(const PairData& data, int first, int count,
                                    std::vector<Tenths>& coded) {
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
    own = tenths(column.low[0], data.rows[0], column.low[1], data.rows[1]);
    sensitive.push_back({own.original.data(), own.masked.data(), own.values});
  }
  return sensitive;
}

Inferences infer_all(const PairData& data, int qi, int sensitive, std::int32_t k) {
  BackendTicker ticker;
  CellsPair pair = cells_of(data, 0, qi);
  pair.image = images_of(data, qi + sensitive, data.count - qi - sensitive);
  const int threads = thread_count();
  const PublishedPoints points(pair, threads, ticker);
  Inferences found;
  std::vector<Tenths> coded;
  found.guessed = guess(pair, points, in_codes(data, qi, sensitive, coded), k, threads, ticker);
  if (pair.image.empty()) {
    found.exposures = exposures_of_ends(pair, ticker);
    return found;
  }
  std::vector<std::int32_t> class_of;
  for (std::int32_t row = 0; row < pair.masked.rows; ++row)
    class_of.push_back(points.point_of(row));
  found.exposures = exposures(pair, class_of, ticker);
  return found;
}

void write_guesses(const char* column, const GuessedRight& guessed, const FigureRows& rows) {
  const auto advantage = [&](double right) {
    return guessed.base < 1 ? (right - guessed.base) / (1 - guessed.base) : 0;
  };
  constexpr char better[] =
      "Gain of the guess over the base rate, as a share of the largest possible gain.";
  rows.add("base", column, guessed.base,
           "Share guessed right if the guess is always the most frequent value of the release.");
  rows.add("class", column, guessed.by_class,
           "Share guessed right from the most frequent value of the nearest class.");
  rows.add("nearest", column, guessed.by_nearest,
           "Share guessed right from the most frequent value of the k nearest masked records.");
  rows.add("bayes", column, guessed.by_bayes,
           "Share guessed right by a naive Bayes classifier trained on the release.");
  rows.add("class_advantage", column, advantage(guessed.by_class), better);
  rows.add("nearest_advantage", column, advantage(guessed.by_nearest), better);
  rows.add("bayes_advantage", column, advantage(guessed.by_bayes), better);
}

void write_exposure(const char* column, const Exposure& exposure, const FigureRows& rows) {
  const bool images_known = !std::isnan(exposure.solved);
  rows.add("range_ends", column, exposure.range_ends,
           images_known
               ? "Share of the records whose value is an end of the range published for them."
               : "Share of the records whose value is an end of a published range.");
  rows.add("lonely_range_ends", column, exposure.lonely_ends,
           "Share of the records whose value is such an end and nobody else's.");
  if (!images_known) return;
  rows.add("solved_centroids", column, exposure.solved,
           "Share of the records whose value follows from the centroid and the values of all "
           "others of the class.");
}

/// The number of nearest records.
int32 neighbours_argument(FunctionCallInfo fcinfo) {
  constexpr double kMost = 1000000;
  constexpr double kDefaultOfK = 5;
  return static_cast<int32>(
      renamed_argument(fcinfo, "neighbours", "k", 1, kMost, NAN, kDefaultOfK));
}

Datum infer(FunctionCallInfo fcinfo) {
  const Oid original = required_relation(fcinfo, "original");
  const Oid masked = required_relation(fcinfo, "masked");
  const FigureRows rows(fcinfo);
  const Session session = open_session();
  const Names qi = names_argument(fcinfo, "qi", 1);
  const Names sensitive = names_argument(fcinfo, "sensitive", 0);
  const Names key = names_argument(fcinfo, "key", 0);
  const auto k = neighbours_argument(fcinfo);
  const PairData data =
      read_pair(original, masked, joined(qi, sensitive, key), qi.count + sensitive.count,
                names_argument(fcinfo, "categories", 0));
  Inferences& found =
      own_in_context(std::make_unique<Inferences>(infer_all(data, qi.count, sensitive.count, k)));
  for (int a = 0; a < sensitive.count; ++a)
    write_guesses(data.columns[qi.count + a].name, found.guessed[at(a)], rows);
  for (std::size_t j = 0; j < found.exposures.size(); ++j)
    if (data.columns[j].numeric) write_exposure(data.columns[j].name, found.exposures[j], rows);
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_infer) {
  return anonkit::pg::infer(fcinfo);
}
