#include "pinned/pinned_table.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/at.hpp"

namespace anonkit {
namespace {

constexpr std::int32_t kTowns = 12, kGradeCodes = 5, kYoungest = 18;

/// Levels of groups of so many neighbours, and of all.
std::vector<std::vector<std::int32_t>> levels_of(std::int32_t values,
                                                 const std::vector<int>& widths) {
  std::vector<std::vector<std::int32_t>> levels;
  for (const int width : widths) {
    levels.emplace_back();
    for (std::int32_t v = 0; v < values; ++v) levels.back().push_back(v / width);
  }
  levels.emplace_back(at(values), 0);
  return levels;
}

}  // namespace

PinnedTable::PinnedTable(Quasi quasi, Record rows, std::uint64_t seed)
    : rows_(rows),
      nulls_(quasi == Quasi::nulls || quasi == Quasi::tied_nulls),
      random_(seed),
      illness_tree_(levels_of(kIllnesses, {2, 4})) {
  add_columns(quasi);
  std::int32_t person = -1;
  for (Record i = 0; i < rows; ++i) {
    const int age = kYoungest + (between(0, 60) + between(0, 60)) / 2;
    for (const Column& column : columns_) values_.push_back(value(column, age));
    illnesses_.push_back(i < kIllnesses ? i : std::min({between(0, 6), between(0, 9), age / 10}));
    grades_.push_back(i < kGrades ? i : (between(0, 9) + age / 6) % kGrades);
    pay_.push_back(1000.0 + 50 * grades_.back() * (1 + grades_.back() / 7));
    labels_.push_back(between(0, age) > 40 ? 1 : 0);
    if (i == 0 || between(0, 3) > 0 || units_[at(i) - 1] == units_[at(std::max(i - 3, 0))])
      ++person;
    units_.push_back(person);
    fingerprints_.push_back({random_(), random_()});
  }
  for (std::int32_t grade = 0; grade < kGrades; ++grade)
    numbers_.push_back(1000.0 + 50 * grade * (1 + grade / 7));
  for (std::int32_t v = 0; v < kIllnesses; ++v) lifted_.push_back(std::max(0, v - 2));
  if (quasi == Quasi::hierarchies || quasi == Quasi::partly) {
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      if (columns_[j].name == "age" && quasi == Quasi::hierarchies) add_hierarchy(j, {5, 20});
      if (columns_[j].name == "town") add_hierarchy(j, {2, 6});
      if (columns_[j].name == "job") add_hierarchy(j, {3});
    }
  }
  if (quasi == Quasi::hierarchies) add_population();
}

void PinnedTable::add_column(const char* name, const Attribute& attribute) {
  Column column{name, attribute, {}};
  const bool whole = column.name != "quarters" && column.name != "debt" && column.name != "halves";
  if (attribute.kind == Kind::numeric && whole) column.rounding = {Rounding::To::integer, 0};
  columns_.push_back(column);
}

void PinnedTable::add_columns(Quasi quasi) {
  const Attribute number, grade{Kind::ordinal, 1, kGradeCodes}, town{Kind::nominal, 1, kTowns};
  if (quasi == Quasi::number) return add_column("amount", number);
  if (quasi == Quasi::hierarchies) {
    add_column("town", town);
    add_column("job", {Kind::nominal, 0.5, 9});
    return add_column("age", number);
  }
  if (quasi == Quasi::small) {
    for (const char* name : {"flag", "quarters", "debt", "constant"}) add_column(name, number);
    return add_column("single", {Kind::ordinal, 1, 1});
  }
  if (quasi == Quasi::ties || quasi == Quasi::tied_nulls) {
    add_column("few", number);
    add_column("halves", number);
    add_column("rank", {Kind::ordinal, 1, 3});
    return add_column("colour", {Kind::nominal, 0.5, 3});
  }
  add_column("age", number);
  if (quasi == Quasi::numbers || quasi == Quasi::nulls) add_column("amount", number);
  if (quasi == Quasi::numbers || quasi == Quasi::nulls)
    add_column("price", {Kind::numeric, 0.5, 0});
  if (quasi == Quasi::numbers) return;
  if (quasi != Quasi::nulls) add_column("town", town);
  add_column("grade", grade);
  if (quasi == Quasi::mixed) add_column("sex", {Kind::nominal, 0.5, 2});
}

/// Numbers are placed among the distinct ones.
void PinnedTable::add_hierarchy(std::size_t column, const std::vector<int>& widths) {
  const std::size_t d = columns_.size();
  std::map<double, std::int32_t> place;
  for (Record i = 0; i < rows_; ++i) place[values_[at(i) * d + column]] = 0;
  const bool numeric = columns_[column].attribute.kind == Kind::numeric;
  std::int32_t values = columns_[column].attribute.categories;
  if (numeric) {
    values = 0;
    for (auto& entry : place) entry.second = values++;
  }
  std::vector<std::int32_t>& leaves = leaves_.emplace_back();
  for (Record i = 0; i < rows_; ++i) {
    const double value = values_[at(i) * d + column];
    leaves.push_back(numeric ? place[value] : static_cast<std::int32_t>(value));
  }
  columns_[column].hierarchy = &hierarchies_.emplace_back(levels_of(values, widths));
  columns_[column].leaves = leaves.data();
}

/// The table is the first third of its population.
void PinnedTable::add_population() {
  population_ = 3 * rows_;
  for (Column& column : columns_) {
    std::vector<std::int32_t>& all = leaves_.emplace_back(column.leaves, column.leaves + rows_);
    for (Record i = rows_; i < population_; ++i)
      all.push_back(between(0, 3) == 0 ? between(0, column.hierarchy->values() - 1)
                                       : column.leaves[between(0, rows_ - 1)]);
    column.population = all.data();
  }
}

// Lists in braces are evaluated in their order, and arguments in that of the compiler.
double PinnedTable::value(const Column& column, int age) {
  if (nulls_ && column.attribute.kind == Kind::numeric && between(0, 11) == 0) return kNull;
  if (column.name == "age") return age;
  if (column.name == "amount") return between(0, 400) + 10 * age;
  if (column.name == "price") {
    const int pieces = between(1, 9);
    return pieces * between(0, 90);
  }
  if (column.name == "grade") return std::min(between(0, kGradeCodes - 1), age / 12);
  if (column.name == "quarters") return between(0, 4) * 0.25;
  if (column.name == "debt") return -between(0, age) * 0.5;
  if (column.name == "few") return between(0, 3);
  if (column.name == "halves") return between(0, 2) * 0.5;
  if (column.name == "rank" || column.name == "colour") return between(0, 2);
  if (column.name == "constant") return 3;
  if (column.name == "single") return 0;
  if (column.name == "job") return std::min({between(0, 8), between(0, 11)});
  if (column.name == "town") return std::min({between(0, kTowns - 1), between(0, kTowns + 3)});
  return between(0, 1);
}

SensitiveColumn PinnedTable::illness() const {
  SensitiveColumn column;
  column.name = "illness";
  column.ranks = illnesses_.data();
  column.distinct = kIllnesses;
  return column;
}

SensitiveColumn PinnedTable::pay_grade() const {
  SensitiveColumn column;
  column.name = "pay";
  column.kind = Kind::numeric;
  column.ranks = grades_.data();
  column.numbers = numbers_.data();
  column.distinct = kGrades;
  return column;
}

Table PinnedTable::plain() const {
  Table table;
  table.rows = rows_;
  table.population = population_;
  table.columns = columns_;
  table.values = values_.data();
  table.fingerprints = fingerprints_.data();
  table.labels = labels_.data();
  return table;
}

Table PinnedTable::with_illness() const {
  Table table = plain();
  table.sensitive = {illness()};
  return table;
}

Table PinnedTable::with_illness_tree() const {
  Table table = with_illness();
  table.sensitive.front().hierarchy = &illness_tree_;
  return table;
}

Table PinnedTable::with_lifted_illness() const {
  Table table = with_illness_tree();
  table.sensitive.front().lifted = lifted_.data();
  return table;
}

Table PinnedTable::with_pay() const {
  Table table = plain();
  table.sensitive = {pay_grade()};
  return table;
}

Table PinnedTable::with_both() const {
  Table table = plain();
  table.sensitive = {pay_grade(), illness()};
  return table;
}

}  // namespace anonkit
