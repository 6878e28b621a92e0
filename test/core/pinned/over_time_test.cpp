// Transparent releases, replays of them, and releases over time.

#include <gtest/gtest.h>

#include <limits>

#include "base/at.hpp"
#include "cohort/coverage.hpp"
#include "model/joint_releases.hpp"
#include "model/stored_versions.hpp"
#include "pinned/pinned.hpp"
#include "pinned/pinned_table.hpp"
#include "replay.hpp"
#include "replay_cells.hpp"
#include "replay_nights.hpp"
#include "settling.hpp"

namespace anonkit {
namespace {

Options transparent(Record k) {
  Options options;
  options.k = k;
  options.seed = 7;
  options.transparency.wanted = true;
  return options;
}

TEST(PinnedTransparent, ReleasesAreTheSameOnEveryMachine) {
  Pins pins("transparent");
  for (const Quasi quasi : {Quasi::numbers, Quasi::mixed, Quasi::ties}) {
    const PinnedTable made(quasi, 220, 71);
    for (const char* method : {"mdav", "vmdav"})
      for (const double adapt : {0.0, 0.2, 0.6})
        for (const double decoys : {0.0, 0.3})
          for (int promised = 0; promised < 4; ++promised) {
            Options options = transparent(4);
            options.transparency.adapt = adapt;
            options.transparency.decoys = decoys;
            if (promised == 0) options.promises.l = 3;
            if (promised == 1) options.promises.alpha = 0.4;
            if (promised == 2) options.promises.t = 0.4;
            if (promised == 3) options.promises.p = 2, options.promises.entropy_l = 1.8;
            pins.add(std::string(name_of(quasi)) + ", " + method + ", adapt " +
                         pinned_number(adapt) + ", decoys " + pinned_number(decoys) + ", promise " +
                         std::to_string(promised),
                     made.with_illness(), method, options);
          }
  }
  Options options = transparent(4);
  options.algorithm = "grid";
  options.recode = Recode::range;
  options.promises.l = 2;
  pins.add("grid", PinnedTable(Quasi::numbers, 150, 72).with_illness(), "mondrian", options);
  options = transparent(3);
  options.promises.l = 3;
  options.transparency.adapt = 0.3;
  pins.add("microaggregate", PinnedTable(Quasi::mixed, 40, 73).with_illness(), "microaggregate",
           options);
  options.nulls = Nulls::stratify;
  pins.add("strata", PinnedTable(Quasi::nulls, 150, 74).with_both(), "mdav", options);
  pins.check();
}

void add_attacks(Pins& pins, const std::string& name, const std::vector<ReplayedClass>& attacked) {
  PinDigest digest;
  double before = 0, after = 0;
  int tried = 0, consistent = 0;
  for (const ReplayedClass& one : attacked) {
    digest.add(one.first).add(one.size).add(one.tried).add(one.consistent);
    digest.add(one.belief_before).add(one.belief_after);
    digest.add(one.undetermined_before).add(one.determined);
    before += one.belief_before;
    after += one.belief_after;
    tried += one.tried;
    consistent += one.consistent;
  }
  pins.add(name, digest,
           "classes " + std::to_string(attacked.size()) + ", tried " + std::to_string(tried) +
               ", consistent " + std::to_string(consistent) + ", before " + pinned_number(before) +
               ", after " + pinned_number(after));
}

/// The fingerprints of a release over time do not depend on values.
TEST(PinnedReplay, AttacksAreTheSameOnEveryMachine) {
  Pins pins("replay");
  Ticker& ticker = pins.ticker();
  const PinnedTable made(Quasi::numbers, 60, 75);
  for (const char* method : {"mdav", "mondrian", "tclose", "psensitive"})
    for (const int arrangements : {6, 40}) {
      Options options;
      options.k = 4;
      if (method == std::string("mondrian")) options.promises.l = 3;
      if (method == std::string("tclose")) options.promises.t = 0.3;
      if (method == std::string("psensitive")) options.promises.p = 3;
      add_attacks(
          pins, std::string(method) + ", " + std::to_string(arrangements),
          replay(made.with_illness(), *find_method(method), options, {5, arrangements, 2}, ticker));
    }
  pins.add("bytes", {{"replay", static_cast<double>(replay_bytes(made.with_illness()))},
                     {"cells", static_cast<double>(replay_cells_bytes(made.with_illness()))},
                     {"nights", static_cast<double>(replay_nights_bytes(made.with_illness()))}});
  pins.check();
}

TEST(PinnedReplay, AttacksOnCellsAreTheSameOnEveryMachine) {
  Pins pins("replay_cells");
  Ticker& ticker = pins.ticker();
  for (const Quasi quasi : {Quasi::numbers, Quasi::partly, Quasi::ties}) {
    const PinnedTable made(quasi, 40, 76);
    for (const char* method : {"mdav", "mondrian"})
      for (const Recode recode :
           {Recode::centroid, Recode::range, Recode::hierarchy, Recode::median}) {
        Options options;
        options.k = 3;
        options.recode = recode;
        const std::vector<ReplayedCells> attacked =
            replay_cells(made.plain(), *find_method(method), options, {6, 3, 2, 12, 4}, ticker);
        PinDigest digest;
        int box = 0, form = 0, code = 0;
        for (const ReplayedCells& one : attacked) {
          digest.add(static_cast<double>(one.unknown)).add(one.first).add(one.size);
          digest.add(static_cast<double>(one.column)).add(one.box).add(one.form).add(one.code);
          box += one.box;
          form += one.form;
          code += one.code;
        }
        pins.add(std::string(name_of(quasi)) + ", " + method + ", recoding " +
                     std::to_string(static_cast<int>(recode)),
                 digest,
                 "targets " + std::to_string(attacked.size()) + ", box " + std::to_string(box) +
                     ", form " + std::to_string(form) + ", code " + std::to_string(code));
      }
  }
  pins.check();
}

/// Half of the persons, all but one and all are drawn in different ways.
TEST(PinnedReplay, DrawsOfTargetsAreTheSameOnEveryMachine) {
  Pins pins("replay_draws");
  Ticker& ticker = pins.ticker();
  const PinnedTable made(Quasi::numbers, 12, 84);
  Options options;
  options.k = 3;
  options.recode = Recode::range;
  for (const int cells : {1, 17, 18, 35, 36, 50})
    for (const int values : {1, 2, 9}) {
      const std::vector<ReplayedCells> attacked =
          replay_cells(made.plain(), *find_method("mdav"), options,
                       {cells, cells / 3, cells / 9, values, 4}, ticker);
      PinDigest digest;
      for (const ReplayedCells& one : attacked)
        digest.add(one.first)
            .add(static_cast<double>(one.column))
            .add(one.box)
            .add(one.form)
            .add(one.code);
      pins.add(std::to_string(cells) + " cells, " + std::to_string(values) + " values", digest,
               "targets " + std::to_string(attacked.size()));
    }
  pins.check();
}

TEST(PinnedOverTime, AttacksOnNightsAreTheSameOnEveryMachine) {
  Pins pins("nights");
  Ticker& ticker = pins.ticker();
  PinnedTable made(Quasi::numbers, 70, 77);
  Arrivals arrivals;
  for (Record i = 0; i < 70; ++i) arrivals.night.push_back(i < 30 ? 1 : made.between(1, 6));
  arrivals.max_wait = 2;
  for (const bool wanted : {false, true})
    for (const std::int32_t every : {1, 2})
      for (const int promised : {0, 1, 2}) {
        Options options;
        options.k = 3;
        options.transparency.wanted = wanted;
        arrivals.every = every;
        arrivals.wait_loss = every == 1 ? 5 : 0.5;
        if (promised == 0) options.promises.l = 2;
        if (promised == 1) options.promises.alpha = 0.6;
        if (promised == 2) options.promises.t = 0.5;
        const char* method = wanted ? "mdav" : "mondrian";
        add_attacks(pins,
                    std::string(wanted ? "transparent" : "plain") + ", every " +
                        std::to_string(every) + ", promise " + std::to_string(promised),
                    replay_nights(made.with_illness(), arrivals, *find_method(method), options,
                                  {4, 12, 3}, ticker));
      }
  pins.check();
}

/// Persons who wait since different refreshes found classes.
TEST(PinnedOverTime, FoundersAreTheSameOnEveryMachine) {
  Pins pins("settling");
  Ticker& ticker = pins.ticker();
  PinnedTable made(Quasi::numbers, 90, 78);
  Waiters waiters;
  for (Record i = 0; i < 90; ++i) {
    waiters.waited.push_back(made.between(0, 5));
    waiters.holders.push_back(static_cast<std::uint64_t>(made.units()[at(i)]));
    waiters.met.push_back(i % 11 == 0 ? 1 : 0);
  }
  const double scales[] = {12, 140, 160};
  for (const char* method : {"mdav", "mondrian"})
    for (const bool wanted : {false, true})
      for (const double loss : {0.05, 0.4, std::numeric_limits<double>::infinity()})
        for (const bool means : {false, true}) {
          Options options;
          options.k = 3;
          options.scales = scales;
          options.promises.l = 3;
          options.promises.t = means ? 0.5 : 0;
          options.transparency.wanted = wanted;
          const Acceptance acceptance = {loss, 4, means, least_together(options, 1)};
          const Anonymized founded = settle(made.with_illness(), *find_method(method), options,
                                            waiters, acceptance, {17, 0.2}, ticker);
          PinDigest digest;
          digest.add(founded);
          if (!founded.members.records.empty())
            digest.all(founding_errors(made.with_illness(), founded, options, ticker))
                .all(exclusive_founders(founded.partition.class_of, waiters, ticker));
          pins.add(std::string(method) + (wanted ? ", transparent" : "") + ", loss " +
                       pinned_number(loss) + (means ? ", means" : ""),
                   digest, figures_of(founded) + ", waiting " + std::to_string(founded.suppressed));
        }
  // One t for each attribute is tightened as one for all is.
  const double each[] = {0.4, 0.3};
  for (const double t : {0.3, 0.4, 0.0}) {
    Options options;
    options.k = 3;
    options.scales = scales;
    options.promises.t = t;
    if (t == 0) options.promises.t_each = each;
    const Acceptance all = {std::numeric_limits<double>::infinity(), 4, false,
                            least_together(options, 2)};
    const Anonymized founded =
        settle(made.with_both(), *find_method("tclose"), options, waiters, all, {17, 0.2}, ticker);
    pins.add("tclose, t " + (t == 0 ? "of each" : pinned_number(t)), PinDigest().add(founded),
             figures_of(founded));
  }
  pins.check();
}

TEST(PinnedOverTime, VersionsTellTheSameOnEveryMachine) {
  Pins pins("versions");
  Ticker& ticker = pins.ticker();
  PinnedTable made(Quasi::numbers, 80, 79);
  for (const int classes : {5, 12, 25})
    for (const int versions : {1, 2, 4}) {
      std::vector<StoredRow> rows;
      ByRelease class_of, value_of;
      for (int version = 0; version < versions; ++version) {
        std::vector<std::int32_t> number(at(classes), kNowhere);
        class_of.emplace_back();
        value_of.emplace_back();
        std::int32_t used = 0;
        for (Record i = 0; i < 80; ++i) {
          const bool absent = version > 0 && made.between(0, 6) == 0;
          const std::size_t c = at((i + version * made.between(0, 9)) % classes);
          if (!absent && number[c] == kNowhere) number[c] = used++;
          class_of.back().push_back(absent ? kNowhere : number[c]);
          value_of.back().push_back(absent || version == 2 ? kNowhere : made.illnesses()[at(i)]);
          if (!absent)
            rows.push_back({version, i, 100 * version + number[c], made.illnesses()[at(i)]});
        }
      }
      const Intersection found = intersect_versions(rows, ticker);
      const RemainingValues left = remaining_values(class_of, value_of, ticker);
      PinDigest digest;
      digest.all(found.invariance_of).all(found.rows_of);
      digest.all(joint_classes(class_of, 80, ticker));
      pins.add(std::to_string(classes) + " classes, " + std::to_string(versions) + " versions",
               digest,
               "places " + std::to_string(found.places) + ", histories " +
                   std::to_string(found.fewest_histories) + ", candidates " +
                   std::to_string(found.fewest_candidates) + ", certain " +
                   std::to_string(found.certain) + ", solved " + std::to_string(found.solved) +
                   ", m " + std::to_string(found.m_invariance) + ", joint " +
                   std::to_string(solved_persons(class_of, ticker)) + ", left " +
                   std::to_string(left.fewest) + ", determined " + std::to_string(left.determined));
    }
  pins.check();
}

TEST(PinnedOverTime, CoverageIsTheSameOnEveryMachine) {
  Pins pins("coverage");
  Ticker& ticker = pins.ticker();
  PinnedTable made(Quasi::numbers, 100, 81);
  for (const std::size_t words : {1, 2}) {
    std::vector<std::uint64_t> nulls;
    std::vector<char> published;
    for (int i = 0; i < 100; ++i) {
      for (std::size_t word = 0; word < words; ++word)
        nulls.push_back(static_cast<std::uint64_t>(made.between(0, 2)));
      published.push_back(made.between(0, 3) > 0 ? 1 : 0);
    }
    const std::vector<StratumCoverage> strata =
        coverage_by_stratum(nulls.data(), words, published, ticker);
    for (const std::int64_t persons : {1, 10, 30, 1000}) {
      const StratumCoverage* least = least_covered(strata, persons);
      pins.add(std::to_string(words) + " words, of " + std::to_string(persons),
               {{"strata", static_cast<double>(strata.size())},
                {"present", least == nullptr ? 0 : static_cast<double>(least->present)},
                {"share", least == nullptr ? 0 : least->share()}});
    }
  }
  pins.check();
}

/// Cohorts of which some persons leave, change or return.
TEST(PinnedOverTime, RollCallsAreTheSameOnEveryMachine) {
  Pins pins("roll_calls");
  Ticker& ticker = pins.ticker();
  PinnedTable made(Quasi::numbers, 50, 80);
  for (int round = 0; round < 12; ++round) {
    Register known;
    known.persons = 40;
    for (Record i = 0; i < 40; ++i)
      known.holder_of.push_back(static_cast<std::uint64_t>(made.units()[at(i)]));
    known.cohorts.resize(6);
    for (std::int32_t c = 0; c < 6; ++c) {
      known.cohorts[at(c)].retired = made.between(0, 5) == 0;
      known.cohorts[at(c)].withdrawn = made.between(0, 8) == 0;
    }
    for (Record i = 0; i < 30; ++i) {
      Place place;
      place.cohort = made.between(0, 5);
      place.person = made.between(0, round) > 6 ? kNone : i;
      place.changed = made.between(0, 3) == 0;
      place.stale = made.between(0, 4) == 0;
      place.holder = known.holder_of[at(i)];
      ++known.cohorts[at(place.cohort)].size;
      known.places.push_back(place);
      if (made.between(0, 3) == 0)
        known.acquaintances.push_back({made.between(0, 5), known.holder_of[at(i)]});
    }
    count_exclusive(known);
    Roll roll = call_roll(known, ticker);
    roll.met.resize(40);
    for (Record i = 0; i < 40; i += 5) roll.met[at(i)] = {made.between(0, 5)};
    protect_means(known, roll);
    PinDigest digest;
    for (const Standing standing : roll.standing) digest.add(static_cast<double>(standing));
    digest.all(roll.present).all(roll.retires);
    for (const Cohort& cohort : known.cohorts) digest.add(cohort.exclusive);
    pins.add("round " + std::to_string(round), digest,
             "vacant " + std::to_string(roll.vacant) + ", stale " + std::to_string(roll.stale) +
                 ", changed " + std::to_string(roll.changed) + ", outside " +
                 std::to_string(roll.outside));
  }
  pins.check();
}

}  // namespace
}  // namespace anonkit
