#pragma once

// A table as large as one likes, and every method with options that it can keep on it.

#include <string>
#include <utility>
#include <vector>

#include "at.hpp"
#include "partition/method.hpp"
#include "random_table.hpp"
#include "recode/hierarchy.hpp"
#include "search/random.hpp"

namespace anonkit {

/// What a case needs of the table.
enum class Part { numbers, one_number, mixed, categories, nulls };

/// Numeric quasi-identifiers c0 .. c3, or ordinal, nominal and numeric ones, or categories with
/// hierarchies, and two sensitive attributes: a number with many values, and a category of eight.
class LargeTable {
 public:
  LargeTable(Record n, Part part) : n_(n) {
    const std::size_t d = part == Part::one_number ? 1 : 4;
    for (std::size_t j = 0; j < d; ++j) columns_.push_back(column(part, j));
    for (Record i = 0; i < n; ++i)
      for (std::size_t j = 0; j < d; ++j) values_.push_back(value(part, columns_[j]));
    if (part == Part::categories) add_hierarchies();
    add_sensitive();
    for (Record i = 0; i < n; ++i) {
      fingerprints_.push_back({random_.next(), random_.next()});
      labels_.push_back(categories_[at(i)] % 2);
    }
  }

  Table view() const {
    Table table;
    table.rows = n_;
    table.columns = columns_;
    for (std::size_t j = 0; j < hierarchies_.size(); ++j) {
      table.columns[j].hierarchy = &hierarchies_[j];
      table.columns[j].leaves = leaves_[j].data();
    }
    table.values = values_.data();
    table.fingerprints = fingerprints_.data();
    table.labels = labels_.data();
    SensitiveColumn pay;
    pay.name = "pay";
    pay.kind = Kind::numeric;
    pay.ranks = ranks_.data();
    pay.numbers = numbers_.data();
    pay.distinct = static_cast<std::int32_t>(numbers_.size());
    SensitiveColumn illness;
    illness.name = "illness";
    illness.ranks = categories_.data();
    illness.distinct = kCategories;
    table.sensitive = {pay, illness};
    return table;
  }

 private:
  static constexpr std::int32_t kCategories = 8, kLeaves = 64;

  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(Random::scale(random_.next() >> 32, bound));
  }

  static Column column(Part part, std::size_t j) {
    Attribute attribute;
    if (part == Part::categories) attribute = {Kind::nominal, 1, kLeaves};
    if (part == Part::mixed && j == 1) attribute = {Kind::ordinal, 1, kCategories};
    if (part == Part::mixed && j == 2) attribute = {Kind::nominal, 0.5, kCategories};
    return {"c" + std::to_string(j), attribute, {}};
  }

  double value(Part part, const Column& column) {
    if (column.attribute.kind != Kind::numeric)
      return below(static_cast<std::uint32_t>(column.attribute.categories));
    if (part == Part::nulls && below(20) == 0) return kNull;
    double bell = 0;
    for (int i = 0; i < 6; ++i) bell += below(1U << 20);
    return bell;
  }

  /// Groups of two, of eight, and all.
  void add_hierarchies() {
    std::vector<std::vector<std::int32_t>> levels(3);
    for (std::int32_t v = 0; v < kLeaves; ++v) {
      levels[0].push_back(v / 2);
      levels[1].push_back(v / 8);
      levels[2].push_back(0);
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      hierarchies_.emplace_back(levels);
      std::vector<std::int32_t> leaves;
      for (Record i = 0; i < n_; ++i)
        leaves.push_back(static_cast<std::int32_t>(values_[at(i) * columns_.size() + j]));
      leaves_.push_back(std::move(leaves));
    }
  }

  void add_sensitive() {
    const auto distinct = static_cast<std::uint32_t>(n_ / 3 + 1);
    for (std::uint32_t v = 0; v < distinct; ++v) numbers_.push_back(v * 10.0);
    for (Record i = 0; i < n_; ++i) {
      // Each value occurs.
      ranks_.push_back(i < static_cast<Record>(distinct) ? i
                                                         : static_cast<Record>(below(distinct)));
      categories_.push_back(static_cast<std::int32_t>(below(kCategories)));
    }
  }

  Record n_;
  Random random_{1};
  std::vector<Column> columns_;
  std::vector<double> values_;
  std::vector<Hierarchy> hierarchies_;
  std::vector<std::vector<std::int32_t>> leaves_;
  std::vector<Fingerprint> fingerprints_;
  std::vector<std::int32_t> labels_, ranks_, categories_;
  std::vector<double> numbers_;
};

struct MethodCase {
  std::string name;
  Part part;
  const char* method;
  Options options;
};

/// Every method and algorithm, with options that the table can keep.

inline std::vector<MethodCase> method_cases() {
  std::vector<MethodCase> cases;
  const auto add = [&](const char* name, Part part, const char* method, auto&& set) {
    MethodCase one{name, part, method, {}};
    one.options.k = 5;
    one.options.seed = 1;
    set(one);
    cases.push_back(one);
  };
  const auto plain = [](MethodCase&) {};
  const auto range = [](MethodCase& c) { c.options.recode = Recode::range; };
  const auto hierarchy = [](MethodCase& c) { c.options.recode = Recode::hierarchy; };

  add("mdav", Part::numbers, "mdav", plain);
  add("mdav of large classes", Part::numbers, "mdav", [](MethodCase& c) { c.options.k = 20000; });
  add("mdav, bounded", Part::numbers, "mdav", [](MethodCase& c) { c.options.lower_bound = true; });
  add("mdav, bounded, of large classes", Part::numbers, "mdav", [](MethodCase& c) {
    c.options.k = 2000;
    c.options.lower_bound = true;
  });
  add("mdav of mixed data", Part::mixed, "mdav", plain);
  add("mdav of strata", Part::nulls, "mdav",
      [](MethodCase& c) { c.options.nulls = Nulls::stratify; });
  add("mdav, ranges", Part::mixed, "mdav", range);
  add("vmdav", Part::numbers, "vmdav", plain);
  add("univariate", Part::one_number, "univariate", plain);
  add("univariate, large classes", Part::one_number, "univariate",
      [](MethodCase& c) { c.options.k = 2000; });
  add("microaggregate", Part::numbers, "microaggregate", plain);
  add("microaggregate of mixed data", Part::mixed, "microaggregate", plain);
  add("microaggregate, thorough", Part::numbers, "microaggregate",
      [](MethodCase& c) { c.options.effort = Refine::thorough; });
  add("microaggregate of large classes", Part::numbers, "microaggregate",
      [](MethodCase& c) { c.options.k = 20000; });
  add("microaggregate, ranges", Part::mixed, "microaggregate", range);
  add("microaggregate, hierarchies", Part::categories, "microaggregate", hierarchy);
  add("microaggregate, p", Part::numbers, "microaggregate",
      [](MethodCase& c) { c.options.promises.p = 3; });
  add("microaggregate, diverse", Part::numbers, "microaggregate", [](MethodCase& c) {
    c.options.promises.entropy_l = 2.5;
    c.options.promises.alpha = 0.5;
  });
  add("microaggregate, c and l", Part::numbers, "microaggregate", [](MethodCase& c) {
    c.options.promises.c = 3;
    c.options.promises.l = 3;
  });
  add("microaggregate, t", Part::numbers, "microaggregate",
      [](MethodCase& c) { c.options.promises.t = 0.3; });
  add("microaggregate, t and p", Part::numbers, "microaggregate", [](MethodCase& c) {
    c.options.promises.t = 0.3;
    c.options.promises.p = 3;
  });
  add("microaggregate, a small t", Part::numbers, "microaggregate",
      [](MethodCase& c) { c.options.promises.t = 0.01; });
  for (const char* which : {"t_first", "k_first", "merge", "sabre", "best"})
    add("tclose", Part::numbers, "tclose", [=](MethodCase& c) {
      c.name += std::string(", ") + which;
      c.options.algorithm = which;
      c.options.promises.t = 0.3;
      c.options.refine = Refine::fast;
    });
  add("tclose, a small t", Part::numbers, "tclose",
      [](MethodCase& c) { c.options.promises.t = 0.01; });
  for (const char* which : {"enhanced", "greedy", "microaggregation", "best"})
    for (const Part part : {Part::numbers, Part::categories})
      add("psensitive", part, "psensitive", [=](MethodCase& c) {
        c.name += std::string(", ") + which + (part == Part::categories ? ", hierarchies" : "");
        c.options.algorithm = which;
        c.options.promises.p = 3;
        c.options.refine = Refine::fast;
        c.options.recode = part == Part::categories ? Recode::hierarchy : Recode::range;
        if (which == std::string("microaggregation")) c.options.recode = Recode::centroid;
      });
  for (const char* which : {"heuristic", "best"})
    add("kpqr", Part::numbers, "kpqr", [=](MethodCase& c) {
      c.name += std::string(", ") + which;
      c.options.algorithm = which;
      c.options.promises.p = 3;
      c.options.promises.q = 0.2;
      c.options.promises.r = 0.1;
      c.options.refine = Refine::fast;
    });
  for (const char* which : {"optimal", "greedy"})
    for (const bool identical : {false, true})
      add("aggregate", Part::numbers, "aggregate", [=](MethodCase& c) {
        c.name += std::string(", ") + which + (identical ? ", identical" : "");
        c.options.algorithm = which;
        c.options.aggregate.attributes = 4;
        c.options.aggregate.identical = identical;
        c.options.recode = Recode::range;
      });
  for (const char* which : {"strict", "relaxed", "best"}) {
    add("mondrian", Part::numbers, "mondrian", [=](MethodCase& c) {
      c.name += std::string(", ") + which;
      c.options.algorithm = which;
      c.options.recode = Recode::range;
      c.options.refine = Refine::fast;
    });
    add("mondrian, hierarchies, t", Part::categories, "mondrian", [=](MethodCase& c) {
      c.name += std::string(", ") + which;
      c.options.algorithm = which;
      c.options.promises.t = 0.3;
      c.options.recode = Recode::hierarchy;
      c.options.refine = Refine::fast;
    });
  }
  for (const char* which : {"incognito", "mingen", "datafly", "argus", "topdown"})
    for (const bool demanding : {false, true})
      add(which, Part::categories, which, [=](MethodCase& c) {
        c.name += demanding ? ", t and suppression" : "";
        c.options.recode = Recode::hierarchy;
        if (!demanding) return;
        c.options.promises.t = 0.3;
        c.options.generalisation.max_suppression = 0.05;
        c.options.generalisation.local_suppression = which == std::string("incognito");
      });
  return cases;
}

}  // namespace anonkit
