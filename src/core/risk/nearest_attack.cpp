#include "risk/nearest_attack.hpp"

#include "base/at.hpp"
#include "base/threads.hpp"
#include "risk/votes.hpp"

namespace anonkit {
namespace {

void note_links(const CellsPair& pair, const PublishedPoints& points, std::int32_t original,
                const std::vector<std::int32_t>& nearest, Linkage& linkage) {
  const std::int32_t image = pair.image.empty() ? -1 : pair.image[at(original)];
  std::int64_t candidates = 0;
  bool is_among = false;
  for (const std::int32_t point : nearest) {
    candidates += points.members(point).size();
    is_among |= image >= 0 && points.point_of(image) == point;
  }
  linkage.note(candidates, !pair.image.empty(), is_among);
}

/// The votes of the nearest records about each sensitive attribute.
class NearestVotes {
 public:
  NearestVotes(const PublishedPoints& points, const std::vector<SensitivePair>& sensitive)
      : points_(points), sensitive_(sensitive) {
    for (const SensitivePair& one : sensitive) votes_.emplace_back(one.values);
  }

  /// Adds to `right` the chances that the guesses about an original record are right.
  void guess(std::int32_t original, const std::vector<std::int32_t>& nearest,
             std::vector<FractionSum>& right, Ticker& ticker) {
    // Records near each other often have the same voters.
    if (nearest != voting_) count(nearest, ticker);
    ticker.step(8 * static_cast<std::int64_t>(sensitive_.size()));
    for (std::size_t a = 0; a < sensitive_.size(); ++a)
      add_chance(votes_[a].rivals(sensitive_[a].original[original]), right[a]);
  }

 private:
  void count(const std::vector<std::int32_t>& nearest, Ticker& ticker) {
    voting_ = nearest;
    for (std::size_t a = 0; a < sensitive_.size(); ++a) {
      votes_[a].clear();
      for (const std::int32_t point : nearest) {
        ticker.step(8 * std::int64_t{points_.members(point).size()});
        for (const std::int32_t row : points_.members(point))
          votes_[a].add(sensitive_[a].masked[row]);
      }
    }
  }

  const PublishedPoints& points_;
  const std::vector<SensitivePair>& sensitive_;
  std::vector<Votes> votes_;
  std::vector<std::int32_t> voting_;
};

}  // namespace

NearestAttack& NearestAttack::operator+=(const NearestAttack& other) {
  linkage += other.linkage;
  for (std::size_t a = 0; a < right.size(); ++a) right[a] += other.right[a];
  return *this;
}

NearestAttack attack_by_nearest(const CellsPair& pair, const PublishedPoints& points,
                                const std::vector<SensitivePair>& sensitive, std::int32_t enough,
                                int threads, Ticker& ticker) {
  const auto attack_chunk = [&](std::size_t begin, std::size_t end, NearestAttack& attack,
                                Ticker& own) {
    NearestVotes votes(points, sensitive);
    std::vector<std::int32_t> nearest;
    for (std::size_t place = begin; place < end; ++place) {
      const std::int32_t original = points.order()[place];
      points.nearest(original, enough, nearest, own);
      note_links(pair, points, original, nearest, attack.linkage);
      votes.guess(original, nearest, attack.right, own);
    }
  };
  const NearestAttack none = {{}, std::vector<FractionSum>(sensitive.size())};
  ticker.begin("attacking", pair.original.rows);
  NearestAttack attack = sum_of_chunks(run_reported_chunks, at(pair.original.rows), none, threads,
                                       ticker, attack_chunk);
  attack.linkage.finish(pair);
  return attack;
}

}  // namespace anonkit
