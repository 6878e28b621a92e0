// Turns random bytes into a table and options of a method. The result is a stated error, or classes
// of at least k records that keep every promise by the judgement of the models.

#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fixture/random_table.hpp"
#include "fixture/without_ticker.hpp"
#include "model/models.hpp"
#include "pipeline.hpp"
#include "raw_bytes.hpp"

namespace anonkit {
namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

/// A table with hierarchies and sensitive columns, and the memory behind it.
struct FuzzedTable {
  OwnedTable owned;
  std::vector<std::unique_ptr<Hierarchy>> hierarchies;
  std::vector<std::vector<std::int32_t>> leaves;
  std::vector<std::vector<std::int32_t>> ranks;
  std::vector<std::vector<double>> numbers;
  std::vector<SensitiveColumn> sensitive;

  Table view() const {
    Table table = owned.view();
    table.sensitive = sensitive;
    return table;
  }
};

Attribute attribute_of(RawBytes& bytes) {
  Attribute attribute;
  attribute.kind = static_cast<Kind>(bytes.between(0, 2));
  attribute.categories = attribute.kind == Kind::numeric ? 0 : bytes.between(1, 5);
  attribute.weight = bytes.between(0, 3) * 0.5;
  return attribute;
}

/// Two levels over the categories.
void add_hierarchy(FuzzedTable& table, std::size_t column) {
  const std::int32_t values = table.owned.columns[column].attribute.categories;
  std::vector<std::vector<std::int32_t>> levels(2);
  for (std::int32_t v = 0; v < values; ++v) {
    levels[0].push_back(v / 2);
    levels[1].push_back(0);
  }
  table.hierarchies.push_back(std::make_unique<Hierarchy>(std::move(levels)));
  table.owned.columns[column].hierarchy = table.hierarchies.back().get();
}

/// Ranks of values that occur; a third of the columns have numbers.
void add_sensitive(FuzzedTable& table, RawBytes& bytes, Record rows) {
  const int most = bytes.between(1, 6);
  const auto kind = static_cast<Kind>(bytes.between(0, 2));
  std::vector<std::int32_t> drawn(static_cast<std::size_t>(rows));
  std::vector<std::int32_t> place(static_cast<std::size_t>(most), -1);
  for (std::int32_t& rank : drawn)
    place[static_cast<std::size_t>(rank = bytes.between(0, most - 1))] = 0;
  std::int32_t distinct = 0;
  for (std::int32_t& p : place)
    if (p == 0) p = distinct++;
  for (std::int32_t& rank : drawn) rank = place[static_cast<std::size_t>(rank)];
  table.ranks.push_back(std::move(drawn));
  table.numbers.emplace_back();
  for (std::int32_t v = 0; v < distinct; ++v) table.numbers.back().push_back(v * 1.5);
  SensitiveColumn column;
  column.name = "s" + std::to_string(table.sensitive.size());
  column.kind = kind;
  column.distinct = distinct;
  table.sensitive.push_back(column);
}

FuzzedTable table_of_bytes(RawBytes& bytes) {
  FuzzedTable table;
  std::vector<Attribute> attributes(static_cast<std::size_t>(bytes.between(1, 3)));
  for (Attribute& attribute : attributes) attribute = attribute_of(bytes);
  const Record rows = bytes.between(0, 40);
  const int sensitive = bytes.between(0, 2);
  for (int a = 0; a < sensitive; ++a) add_sensitive(table, bytes, rows);
  std::vector<double> values;
  for (Record i = 0; i < rows; ++i)
    for (const Attribute& attribute : attributes)
      values.push_back(attribute.kind == Kind::numeric
                           ? bytes.number()
                           : bytes.between(0, attribute.categories - 1));
  table.owned = table_of(std::move(values), attributes);
  table.leaves.resize(attributes.size());
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    if (attributes[j].kind == Kind::numeric || bytes.flag()) continue;
    add_hierarchy(table, j);
    for (Record i = 0; i < rows; ++i)
      table.leaves[j].push_back(static_cast<std::int32_t>(
          table.owned.values[static_cast<std::size_t>(i) * attributes.size() + j]));
    table.owned.columns[j].leaves = table.leaves[j].data();
  }
  for (std::size_t a = 0; a < table.sensitive.size(); ++a) {
    table.sensitive[a].ranks = table.ranks[a].data();
    if (table.sensitive[a].kind == Kind::numeric)
      table.sensitive[a].numbers = table.numbers[a].data();
  }
  return table;
}

Options options_of_bytes(RawBytes& bytes, const Method& method, bool sensitive) {
  Options options;
  options.k = bytes.between(0, 6);
  options.standardize = static_cast<Standardize>(bytes.between(0, 2));
  options.nulls = static_cast<Nulls>(bytes.between(0, 1));
  options.recode = static_cast<Recode>(bytes.between(0, 2));
  options.refine = bytes.flag() ? Effort::fast : Effort::none;
  options.refine_seconds = 0.01;
  options.seed = bytes.byte();
  Promises& promises = options.promises;
  if (!sensitive) return options;
  const int wanted = bytes.byte();
  if ((method.keeps & kPromiseP) != 0 && (wanted & 1) != 0) promises.p = bytes.between(1, 3);
  if ((method.keeps & kPromiseT) != 0 && (wanted & 2) != 0)
    promises.t = bytes.between(1, 10) / 10.0;
  if ((method.keeps & kPromiseDiverse) == 0) return options;
  if ((wanted & 4) != 0) promises.l = bytes.between(1, 3);
  if ((wanted & 8) != 0) promises.entropy_l = bytes.between(10, 25) / 10.0;
  if ((wanted & 16) != 0 && promises.l > 0) promises.c = bytes.between(5, 40) / 10.0;
  if ((wanted & 32) != 0) promises.alpha = bytes.between(3, 10) / 10.0;
  if ((wanted & 64) != 0) promises.e = bytes.between(1, 4);
  return options;
}

void check_model(const char* name, double promised, const ClassHistogram& histogram,
                 const ModelParameters& parameters, Ticker& ticker) {
  const Model* model = find_model(name);
  if (!(promised > 0) || !model->is_about(histogram, parameters)) return;
  check(model->keeps(promised, model->measure(histogram, parameters, ticker).level));
}

void check_promises(const FuzzedTable& table, const Anonymized& result, const Options& options,
                    Ticker& ticker) {
  std::vector<std::int32_t> class_of;
  for (const ClassId c : result.partition.class_of)
    if (c != kNone) class_of.push_back(c);
  if (class_of.empty()) return;
  ModelParameters parameters;
  parameters.l = options.promises.l;
  for (std::size_t a = 0; a < table.sensitive.size(); ++a) {
    PublishedAttribute attribute;
    for (std::size_t i = 0; i < table.ranks[a].size(); ++i)
      if (result.partition.class_of[i] != kNone) attribute.code_of.push_back(table.ranks[a][i]);
    attribute.scale = table.sensitive[a].kind == Kind::numeric   ? AttributeScale::numeric
                      : table.sensitive[a].kind == Kind::ordinal ? AttributeScale::ordinal
                                                                 : AttributeScale::nominal;
    if (attribute.scale == AttributeScale::numeric) attribute.numbers = table.numbers[a];
    const ClassHistogram histogram(class_of, attribute, ticker);
    const Promises& promises = options.promises;
    check_model("k-anonymity", options.k, histogram, parameters, ticker);
    check_model("p-sensitivity", promises.p, histogram, parameters, ticker);
    if (!(promises.c > 0))
      check_model("distinct l-diversity", promises.l, histogram, parameters, ticker);
    check_model("entropy l-diversity", promises.entropy_l, histogram, parameters, ticker);
    check_model("recursive (c,l)-diversity", promises.c, histogram, parameters, ticker);
    check_model("(alpha,k)-anonymity", promises.alpha, histogram, parameters, ticker);
    check_model("(k,e)-anonymity", promises.e, histogram, parameters, ticker);
    check_model("t-closeness", promises.t, histogram, parameters, ticker);
  }
}

}  // namespace
}  // namespace anonkit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace anonkit;
  RawBytes bytes(data, size);
  const Methods all = methods();
  const Method& method = all.first[bytes.between(0, static_cast<int>(all.last - all.first) - 1)];
  const FuzzedTable table = table_of_bytes(bytes);
  const Options options = options_of_bytes(bytes, method, !table.sensitive.empty());
  SilentTicker ticker;
  try {
    if (method.check != nullptr) method.check(options);
    const Anonymized result = anonymize(table.view(), method, options, ticker);
    if (!method.of_aggregates) check_promises(table, result, options, ticker);
  } catch (const Error& error) {
    check(error.kind != ErrorKind::internal && error.kind != ErrorKind::promise_broken);
  }
  return 0;
}
