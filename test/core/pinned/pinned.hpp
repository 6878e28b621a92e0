#pragma once

// Pinned releases: same data and seed, same release, on every machine and by every compiler.
//
// A case is a line of AREA.tsv: its name, a digest of all that is published, and figures for the
// reader of a diff. A change of a release is thus seen by its author, even where every promise
// still holds. Numbers are rounded to nine digits, so that the last digits of libm do not count.
// The last line of a file is the work of all its cases, in the steps that the ticker counts: an
// index that prunes less, or a bound that is no longer tight, changes it and no release.
//
//   ANONKIT_PIN=1 build/core/core_tests --gtest_filter='*Pinned*'   # writes the files anew
//
// With ANONKIT_PIN_FOLDER they are there, with all bits of every number.
//
//   Pins pins("methods");
//   digest.add(table, "mdav", options, pins.ticker());
//   pins.add("mdav", digest, "classes 30");
//   pins.check();

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/ticker.hpp"
#include "method/method.hpp"
#include "partition/partition.hpp"
#include "pipeline.hpp"
#include "recode/masked.hpp"

namespace anonkit {

/// A host that measures the work done for it. Work in threads is not measured.
class WorkTicker final : public Ticker {
 public:
  /// The steps up to now: those until a poll are known only by going on to the next one.
  std::int64_t work();

 protected:
  void poll() override { ++polls_; }

 private:
  std::int64_t polls_ = 0;
};

/// A hash of numbers, in the order in which they are added (Fowler, Noll, Vo; 64 bits).
class PinDigest {
 public:
  PinDigest& add(double number, int digits = 9);
  PinDigest& add(const std::string& text);
  template <class Number>
  PinDigest& all(const std::vector<Number>& numbers) {
    add(std::to_string(numbers.size()));
    for (const Number& number : numbers) add(static_cast<double>(number));
    return *this;
  }
  PinDigest& add(const Partition& partition);
  PinDigest& add(const Masked& masked);
  PinDigest& add(const Anonymized& release);
  /// Adds the release of a method, or the error in its place. Returns its figures; none if the
  /// options cannot be combined.
  std::string add(const Table& table, const char* method, const Options& options, Ticker& ticker);

  std::string hex() const;

 private:
  std::uint64_t hash_ = 14695981039346656037ULL;
};

/// The digits of figures from iterations that end near their limit.
constexpr int kIterated = 5;

/// A number of so many digits; "null" without one, and 0 for what may be a rounding error.
std::string pinned_number(double number, int digits = 9);

/// The cases of an area, compared with its file.
class Pins {
 public:
  explicit Pins(std::string area) : area_(std::move(area)) {}

  void add(const std::string& name, const PinDigest& digest, const std::string& figures);
  /// The release of a method, or the error in its place. Options that cannot be combined are no
  /// case.
  void add(const std::string& name, const Table& table, const char* method, const Options& options);
  /// Figures alone, with their names.
  using Figures = std::vector<std::pair<const char*, double>>;
  void add(const std::string& name, const Figures& figures, int digits = 9);

  /// The host of all cases. It stays where it is, as `this` does.
  Ticker& ticker() { return ticker_; }

  /// Fails for every line that differs from the file's, or writes the file.
  void check();

 private:
  std::string area_;
  WorkTicker ticker_;
  std::vector<std::string> lines_;
};

Options seeded_options(Record k, std::uint64_t seed);

/// Classes, suppressed records and losses of a release, as far as it has them.
std::string figures_of(const Anonymized& release);

}  // namespace anonkit
