// Samples, cuts and drawn numbers, on which releases of parts of a table depend.

#include <gtest/gtest.h>

#include <numeric>
#include <optional>

#include "base/at.hpp"
#include "base/keyed_random.hpp"
#include "base/random.hpp"
#include "method/repair/round_robin.hpp"
#include "metric/bound/halved_blocks.hpp"
#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"
#include "promise/promised.hpp"
#include "replay.hpp"
#include "replay_cells.hpp"
#include "space/block_cuts.hpp"
#include "space/sampled_scales.hpp"
#include "table/canonical_order.hpp"
#include "transparent/adapted_classes.hpp"
#include "transparent/part_size.hpp"

namespace anonkit {
namespace {

TEST(PinnedParts, DrawnNumbersAreTheSameOnEveryMachine) {
  Pins pins("drawn");
  for (const std::uint64_t seed : {0U, 1U, 77U}) {
    Random random(seed);
    const KeyedRandom keyed(public_key(seed).data());
    PinDigest digest;
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Words words = keyed.of({i, 3 * i});
      digest.add(std::to_string(random.next()))
          .add(random.below(1000))
          .add(share_of(mix(i + seed)));
      digest.add(std::to_string(words[0])).add(std::to_string(words[1]));
    }
    pins.add("seed " + std::to_string(seed), digest, "next " + std::to_string(random.below(1000)));
  }
  pins.check();
}

/// Samples that hold all points, most and few of them.
TEST(PinnedParts, SamplesAndCutsAreTheSameOnEveryMachine) {
  Pins pins("samples");
  Ticker& ticker = pins.ticker();
  for (const Quasi quasi : {Quasi::number, Quasi::numbers, Quasi::small, Quasi::ties}) {
    const PinnedTable made(quasi, 400, 111);
    const std::size_t d = made.plain().columns.size();
    std::vector<std::string> names;
    for (const Column& column : made.plain().columns) names.push_back(column.name);
    for (const std::size_t size : {40, 150, 500}) {
      PointSample sample(d, size, 9);
      for (std::size_t i = 0; i < 400; ++i) sample.add(made.values().data() + i * d);
      const std::string name = std::string(name_of(quasi)) + ", at most " + std::to_string(size);
      const bool complete = sample.complete();
      const CountedPoints points = sample.take();
      PinDigest digest;
      digest.all(points.coordinates).all(points.counts);
      pins.add(name, digest, "points " + std::to_string(points.size()) + (complete ? ", all" : ""));
      for (const auto standardize : {Standardize::zscore, Standardize::range}) {
        PinDigest scales;
        for (const Scale& scale : scales_of(points, names, standardize))
          scales.add(scale.location).add(scale.scale);
        pins.add(name + (standardize == Standardize::zscore ? ", deviations" : ", extents"), scales,
                 "");
      }
      for (const std::int64_t blocks : {1, 4, 30}) {
        const BlockCuts cuts = learn_blocks(points, blocks, ticker);
        PinDigest digest_of_cuts;
        for (const BlockCut& cut : cuts.cuts)
          digest_of_cuts.add(cut.at).add(cut.column).add(cut.below).add(cut.above);
        for (std::size_t i = 0; i < 400; ++i)
          digest_of_cuts.add(block_of(cuts.cuts.data(), cuts.root, made.values().data() + i * d));
        pins.add(name + ", blocks " + std::to_string(blocks), digest_of_cuts,
                 "blocks " + std::to_string(cuts.count));
      }
    }
  }
  pins.check();
}

TEST(PinnedParts, HalvesAndOrdersAreTheSameOnEveryMachine) {
  Pins pins("halves");
  Ticker& ticker = pins.ticker();
  for (const Quasi quasi : {Quasi::number, Quasi::numbers, Quasi::small, Quasi::ties}) {
    const PinnedTable made(quasi, 300, 112);
    const Space space(made.values(), std::vector<Attribute>(made.plain().columns.size()));
    for (const Record most : {7, 50, 299, 300}) {
      const auto blocks = cut_into_blocks(space, most, ticker);
      PinDigest digest;
      for (const std::vector<Record>& block : blocks) digest.all(block);
      pins.add(std::string(name_of(quasi)) + ", at most " + std::to_string(most), digest,
               "blocks " + std::to_string(blocks.size()));
    }
    for (const std::uint64_t seed : {0U, 5U})
      for (const bool fingerprints : {false, true}) {
        Table table = made.plain();
        if (!fingerprints) table.fingerprints = nullptr;
        pins.add(std::string(name_of(quasi)) + ", order by " + std::to_string(seed) +
                     (fingerprints ? ", fingerprints" : ""),
                 PinDigest().all(canonical_order(table, seed, ticker)), "");
      }
  }
  pins.check();
}

/// Sets of more points than are looked at for every step of their main axis.
TEST(PinnedParts, LargeSetsAdaptTheSameOnEveryMachine) {
  Pins pins("adapted");
  Ticker& ticker = pins.ticker();
  constexpr Record kMany = 10500;
  const PinnedTable made(Quasi::numbers, kMany, 113);
  const Space space(made.values(), std::vector<Attribute>(3));
  SensitiveAttribute illness;
  illness.ranks = made.illnesses();
  const auto runs = [](const std::vector<Record>& records, Record k) {
    Partition formed;
    const auto n = static_cast<Record>(records.size());
    formed.classes = std::max(n / k, 1);
    for (Record i = 0; i < n; ++i) formed.class_of.push_back(std::min(i / k, formed.classes - 1));
    return formed;
  };
  Promises promises;
  promises.l = 3;
  for (const double share : {0.05, 0.4}) {
    const Partition adapted = adapted_classes(space, {illness}, promises, 4, share, runs, ticker);
    pins.add("share " + pinned_number(share), PinDigest().add(adapted),
             "classes " + std::to_string(adapted.classes));
  }
  pins.check();
}

/// Sizes of parts around the one from which on k decides them.
TEST(PinnedParts, SizesOfPartsAreTheSameOnEveryMachine) {
  Pins pins("part_sizes");
  Ticker& ticker = pins.ticker();
  const PinnedTable made(Quasi::number, 2600, 115);
  SensitiveAttribute illness;
  illness.ranks = made.illnesses();
  std::vector<Record> all(2600);
  std::iota(all.begin(), all.end(), 0);
  for (const Record k : {1, 2, 40, 999, 1000, 1001})
    for (const double alpha : {0.2, 0.3, 0.6})
      for (const double share : {0.001, 0.2}) {
        Promises promises;
        promises.alpha = alpha;
        const Record size = PartSize({illness}, promises, k, share).of(RecordSpan(all), ticker);
        pins.add("k " + std::to_string(k) + ", alpha " + pinned_number(alpha) + ", share " +
                     pinned_number(share),
                 {{"size", size}});
      }
  pins.check();
}

/// Classes to which records come in turn, as many as keep a promise.
TEST(PinnedParts, RoundRobinsAreTheSameOnEveryMachine) {
  Pins pins("round_robin");
  Ticker& ticker = pins.ticker();
  const PinnedTable made(Quasi::number, 90, 116);
  SensitiveAttribute illness;
  illness.ranks = made.illnesses();
  for (int promised = 0; promised < 4; ++promised)
    for (const auto by : {RoundRobinBy::value, RoundRobinBy::frequency})
      for (const Record k : {1, 3, 30, 60}) {
        Promises promises;
        if (promised == 0) promises.l = 5;
        if (promised == 1) promises.t = illness.t = 0.12;
        if (promised == 2) promises.alpha = 0.3;
        if (promised == 3) promises.entropy_l = 4;
        std::vector<Record> all(90);
        std::iota(all.begin(), all.end(), 0);
        const std::vector<Record> order = round_robin_order({illness}, all, by, ticker);
        const std::optional<Partition> found =
            round_robin(order, 90, k, promised_constraints({illness}, promises), ticker);
        PinDigest digest;
        if (found) digest.add(*found);
        pins.add("promise " + std::to_string(promised) +
                     (by == RoundRobinBy::value ? ", by value" : ", by frequency") + ", k " +
                     std::to_string(k),
                 digest.all(order), "classes " + std::to_string(found ? found->classes : 0));
      }
  pins.check();
}

/// Attacks of the usual extent.
TEST(PinnedParts, UsualAttacksAreTheSameOnEveryMachine) {
  Pins pins("usual");
  Ticker& ticker = pins.ticker();
  const PinnedTable made(Quasi::numbers, 60, 114);
  Options options;
  options.k = 4;
  PinDigest cells;
  const auto on_cells = replay_cells(made.plain(), *find_method("mondrian"), options, {}, ticker);
  for (const ReplayedCells& one : on_cells) cells.add(one.first).add(one.box).add(one.form);
  pins.add("cells", cells, "targets " + std::to_string(on_cells.size()));
  PinDigest classes;
  const auto on_classes =
      replay(made.with_illness(), *find_method("mondrian"), options, {}, ticker);
  for (const ReplayedClass& one : on_classes) classes.add(one.first).add(one.tried);
  pins.add("classes", classes, "targets " + std::to_string(on_classes.size()));
  pins.check();
}

}  // namespace
}  // namespace anonkit
