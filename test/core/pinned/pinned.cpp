#include "pinned/pinned.hpp"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/error.hpp"
#include "suppression.hpp"

namespace anonkit {
namespace {

/// The folder for files of all bits, for machines to be compared with each other; or null.
const char* folder_of_bits() {
  static const char* const folder = std::getenv("ANONKIT_PIN_FOLDER");
  return folder;
}

std::string file_of(const std::string& area) {
  const char* folder = folder_of_bits();
  return std::string(folder != nullptr ? folder : ANONKIT_PINNED) + "/" + area + ".tsv";
}

std::vector<std::string> read_lines(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::int64_t WorkTicker::work() {
  std::int64_t left = 0;
  for (const std::int64_t polls = polls_; polls_ == polls; ++left) step(1);
  return polls_ * kQuantum - left;
}

std::string pinned_number(double number, int digits) {
  if (is_null(number)) return "null";
  char text[40];
  if (folder_of_bits() != nullptr) {
    std::snprintf(text, sizeof text, "%a", number);
    return text;
  }
  // Few digits are those of iterations: an angle between equal axes is the root of a rounding
  // error.
  if (std::fabs(number) < (digits <= kIterated ? 1e-5 : 1e-12)) return "0";
  std::snprintf(text, sizeof text, "%.*g", digits, number);
  return text;
}

PinDigest& PinDigest::add(const std::string& text) {
  for (const char c : text + "|") hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return *this;
}

PinDigest& PinDigest::add(double number, int digits) {
  return add(pinned_number(number, digits));
}

PinDigest& PinDigest::add(const Partition& partition) {
  return add(partition.classes).all(partition.class_of);
}

PinDigest& PinDigest::add(const Masked& masked) {
  all(masked.low).all(masked.high).all(masked.levels);
  for (const std::vector<std::int32_t>& set : masked.sets) all(set);
  return *this;
}

PinDigest& PinDigest::add(const Anonymized& release) {
  add(release.partition).add(release.masked);
  all(release.cells_of).all(release.class_numbers).all(release.order).all(release.members.records);
  for (const bool withheld : release.withheld) add(withheld ? "withheld" : "shown");
  return add(static_cast<double>(release.suppressed_cells))
      .add(release.exact ? "exact" : "searched")
      .add(release.reproducible && release.lower_bound_reproducible ? "reproducible" : "by clock")
      .add(release.classes_published ? "classes" : "cells");
}

std::string PinDigest::add(const Table& table, const char* method, const Options& options,
                           Ticker& ticker) {
  // Threads let the host poll by the clock.
  SilentTicker silent;
  Ticker& host = options.threads > 1 ? silent : ticker;
  try {
    const Method& found = *find_method(method);
    if (found.check != nullptr) found.check(options);
    const Anonymized release = anonymize_within_budget(table, found, options, host);
    add(release).add(release.loss.sst);
    return figures_of(release);
  } catch (const Error& error) {
    if (error.kind == ErrorKind::invalid_parameter) return "";
    add(error.what()).add(error.detail);
    return std::string("error: ") + error.what();
  }
}

std::string PinDigest::hex() const {
  char text[20];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash_);
  return text;
}

Options seeded_options(Record k, std::uint64_t seed) {
  Options options;
  options.k = k;
  options.seed = seed;
  return options;
}

std::string figures_of(const Anonymized& release) {
  std::string text = "classes " + std::to_string(release.partition.classes);
  const auto add = [&](const char* name, double figure) {
    if (!is_null(figure)) text += std::string(", ") + name + " " + pinned_number(figure);
  };
  if (release.suppressed > 0) add("suppressed", static_cast<double>(release.suppressed));
  add("sse", release.loss.sse);
  add("ncp", release.ncp);
  add("prec", release.prec);
  add("il", release.il);
  add("saved", release.saved);
  add("bound", release.lower_bound);
  return text;
}

void Pins::add(const std::string& name, const PinDigest& digest, const std::string& figures) {
  lines_.push_back(name + "\t" + digest.hex() + "\t" + figures);
}

void Pins::add(const std::string& name, const Table& table, const char* method,
               const Options& options) {
  PinDigest digest;
  const std::string figures = digest.add(table, method, options, ticker_);
  if (!figures.empty()) add(name, digest, figures);
}

void Pins::add(const std::string& name, const Figures& figures, int digits) {
  PinDigest digest;
  std::string text;
  for (const auto& [what, figure] : figures) {
    digest.add(what).add(figure, digits);
    text += (text.empty() ? "" : ", ") + std::string(what) + " " + pinned_number(figure, digits);
  }
  add(name, digest, text);
}

void Pins::check() {
  const std::string file = file_of(area_);
  if (const std::int64_t work = ticker_.work(); work > 0)
    lines_.push_back("work\t" + std::to_string(work));
  if (std::getenv("ANONKIT_PIN") != nullptr) {
    std::ofstream out(file);
    for (const std::string& line : lines_) out << line << "\n";
    return;
  }
  const std::vector<std::string> expected = read_lines(file);
  EXPECT_EQ(lines_.size(), expected.size()) << file;
  for (std::size_t i = 0; i < std::min(lines_.size(), expected.size()); ++i)
    EXPECT_EQ(lines_[i], expected[i]) << file << ":" << i + 1;
}

}  // namespace anonkit
