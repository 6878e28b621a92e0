#include "search/neighbours.hpp"

#include <algorithm>
#include <numeric>

#include "base/at.hpp"
#include "base/threads.hpp"
#include "space/index/spatial_index.hpp"
#include "space/points.hpp"

namespace anonkit {
namespace {

/// Neighbours of records none of which share a place.
Neighbours neighbours_of_places(const Space& space, int each, Ticker& ticker, int threads,
                                double stretch) {
  Neighbours result;
  result.each = each;
  result.records.resize(at(space.size()) * at(each));
  const SpatialIndex index(space, ticker);
  const std::vector<Record> order = index.records_by_leaf();
  ticker.begin("finding neighbours", space.size());
  const auto search = [&](std::size_t begin, std::size_t end, Ticker& own) {
    std::vector<Neighbour> near;
    for (std::size_t o = begin; o < end; ++o) {
      const Record i = order[o];
      // One more, since the record itself is among them, unless squares of distances are rounded to
      // 0.
      index.near(space.row(i), each + 1, stretch, near, own);
      Record* out = result.records.data() + at(i) * at(each);
      const Record* const last = out + each;
      for (const Neighbour& found : near)
        if (found.record != i && out != last) *out++ = found.record;
    }
  };
  run_reported_chunks(at(space.size()), threads, ticker, search);
  return result;
}

/// Neighbours where records share places. Records of one place would be each other's only
/// neighbours, so the lists are of places. Each of the nearest places is represented by one of its
/// records, a different one for each list. One record of the own place comes first.
class SharedPlaces {
 public:
  SharedPlaces(const Space& space, const Points& places, int each, Ticker& ticker, int threads,
               double stretch)
      : places_(places),
        each_(each),
        of_places_(neighbours_of_places(
            space_of(space, places),
            std::min({each, kMostPlaces, static_cast<int>(places.first.size()) - 1}), ticker,
            threads, stretch)),
        begin_(places.first.size() + 1, 0),
        records_(places.of_record.size()) {
    for (const Record place : places.of_record) ++begin_[at(place) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    turn_.resize(records_.size());
    for (std::size_t i = 0; i < records_.size(); ++i) {
      std::size_t& to = next[at(places.of_record[i])];
      turn_[i] = to - begin_[at(places.of_record[i])];
      records_[to++] = static_cast<Record>(i);
    }
  }

  // Fills a list in rounds: one more record of the own place while it has others, and then one of
  // each near place. The records of a place start their lists at different records of the near
  // places, so that together they cover these.
  Neighbours lists() const {
    Neighbours result;
    result.each = each_;
    result.records.reserve(records_.size() * at(result.each));
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const Record own = places_.of_record[i];
      const std::size_t shared = begin_[at(own) + 1] - begin_[at(own)];
      std::size_t round = 1;
      int left = result.each;
      while (left > 0) {
        if (round < shared) {
          result.records.push_back(shown_by(own, turn_[i] + round));
          --left;
        }
        for (int near = 0; near < of_places_.each && left > 0; ++near, --left)
          result.records.push_back(shown_by(of_places_.of(own)[near], turn_[i] + round));
        ++round;
      }
    }
    return result;
  }

 private:
  static constexpr int kMostPlaces = 10;

  Record shown_by(Record place, std::size_t turn) const {
    const std::size_t shared = begin_[at(place) + 1] - begin_[at(place)];
    return records_[begin_[at(place)] + turn % shared];
  }

  const Points& places_;
  int each_;
  Neighbours of_places_;
  std::vector<std::size_t> begin_;  ///< by place, of records_
  std::vector<Record> records_;     ///< grouped by place
  std::vector<std::size_t> turn_;   ///< by record: its number in its place
};

}  // namespace

Neighbours neighbours(const Space& space, int m, Ticker& ticker, int threads, double stretch) {
  const int each = std::min<int>(m, space.size() - 1);
  const Points places = points_of(space, {}, ticker);
  if (places.fewer()) return SharedPlaces(space, places, each, ticker, threads, stretch).lists();
  return neighbours_of_places(space, each, ticker, threads, stretch);
}

}  // namespace anonkit
