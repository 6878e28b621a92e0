#include "pg/read/parts.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "space/block_cuts.hpp"
#include "space/sampled_scales.hpp"
#include "table/nulls/strata.hpp"
#include "table/standardize.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/read/category_places.hpp"
#include "pg/read/row_reading.hpp"
#include "pg/read/rows_of_persons.hpp"

namespace anonkit::pg {
namespace {

/// Parts get this share of the allowed memory, because cuts divide a sample: some are larger.
constexpr double kShareOfPart = 0.5;
/// The least memory of a store, in kilobytes.
constexpr int kLeastStore = 64;

/// The parts of about so many rows; an error if some might have fewer than k.
std::int64_t count_parts(const PointSample& sample, const CountedPoints& points, int64 rows_of_part,
                         int32 k) {
  const std::int64_t parts = std::max<std::int64_t>(
      1, (sample.records() + rows_of_part - 1) / std::max<int64>(1, rows_of_part));
  // A part has at least half of its share of the sampled records.
  std::int64_t sampled = 0;
  for (const std::int64_t count : points.counts) sampled += count;
  if (sampled / (2 * parts) < k)
    call_backend([] {
      refuse_memory("Parts of the table that fit into it might have fewer than k rows.",
                    "Raise anonkit.max_memory.");
    });
  return parts;
}

/// The sampled rows, as points of numbers and of places of categories.
struct Sampled {
  std::vector<std::string> names;  ///< by place in the point
  CountedPoints points;
};

/// An error with the number of nulls of each column of numbers that has any.
void refuse_null_numbers(const Source& source, const Loaded& sketched,
                         const std::vector<std::string>& names) {
  const NamedPoint& point = sketched.sketch->point;
  std::vector<std::int64_t> nulls;
  for (int i = 0; i < point.count; ++i)
    nulls.push_back(source.columns[point.columns[i]].number_type != nullptr
                        ? sketched.sketch->nulls[point.columns[i]]
                        : 0);
  refuse_nulls(names, nulls, "Select from a view without them.");
}

Sampled& take_sample(const Source& source, const Loaded& sketched) {
  const NamedPoint& point = sketched.sketch->point;
  auto sampled = std::make_unique<Sampled>();
  for (int i = 0; i < point.count; ++i)
    sampled->names.emplace_back(source.columns[point.columns[i]].name);
  refuse_null_numbers(source, sketched, sampled->names);
  sampled->points = sketched.sketch->sample->take();
  return own_in_context(std::move(sampled));
}

/// By sampled point, the code of its category on an axis; -1 of null.
int32* codes_of(const Sampled& sampled, const CategoryHashes& hashes, std::size_t axis) {
  int32* codes = allocate<int32>(static_cast<int64>(sampled.points.size()));
  std::unordered_map<double, int32> code_of = {{kNullPoint, -1}};
  for (int32 code = 0; code < hashes.count; ++code) code_of.emplace(hashes.hashes[code], code);
  for (std::size_t i = 0; i < sampled.points.size(); ++i)
    codes[i] = code_of.at(sampled.points.point(i)[axis]);
  return codes;
}

/// By code, how many sampled rows have the category.
int64* count_categories(const Sampled& sampled, const int32* codes, int32 categories) {
  int64* records = allocate<int64>(categories);
  std::fill_n(records, categories, 0);
  for (std::size_t i = 0; i < sampled.points.size(); ++i)
    if (codes[i] >= 0) records[codes[i]] += sampled.points.counts[i];
  return records;
}

/// The place of a code; that of null comes after all others.
double place_of_code(const double* places, int32 code, int32 categories) {
  return places[code < 0 ? categories : code];
}

/// By quasi-identifier: the places of its categories, or null for numbers.
double** place_categories(const Source& source, const Loaded& sketched, Sampled& sampled) {
  Sketch& sketch = *sketched.sketch;
  const Block& block = sketched.quasi_identifiers;
  double** places = allocate<double*>(source.quasi_identifiers);
  for (int i = 0; i < sketch.point.count; ++i) {
    const int j = sketch.point.columns[i];
    places[j] = nullptr;
    if (block.dictionaries[j] == nullptr) continue;
    const int32 categories = block.dictionaries[j]->size();
    // An enum has labels that no row has.
    if (categories > 0) point_of_category(sketch, block, j, categories - 1);
    const auto axis = static_cast<std::size_t>(i);
    CountedPoints& points = sampled.points;
    const int32* codes = codes_of(sampled, sketch.hashes[j], axis);
    places[j] =
        category_places(source.columns[j], block, j, count_categories(sampled, codes, categories));
    for (std::size_t at = 0; at < points.size(); ++at)
      points.coordinates[at * points.dimension + axis] =
          place_of_code(places[j], codes[at], categories);
  }
  return places;
}

const BlockCuts& learn_parts(const Loaded& sketched, const Sampled& sampled, int64 rows_of_part,
                             int32 k) {
  const std::int64_t parts = count_parts(*sketched.sketch->sample, sampled.points, rows_of_part, k);
  BackendTicker ticker;
  return own_in_context(std::make_unique<BlockCuts>(learn_blocks(
      sampled.points, parts, ticker, static_cast<std::size_t>(sketched.sketch->nominal))));
}

/// Deviations are those of the sample, extents those of all rows.
Spread* learn_spreads(const Source& source, const Loaded& sketched, const Sampled& sampled) {
  const Sketch& sketch = *sketched.sketch;
  Spread* spreads = allocate<Spread>(source.quasi_identifiers);
  const std::vector<Scale> scales = scales_of(sampled.points, sampled.names, Standardize::zscore);
  for (int i = 0; i < sketch.point.count; ++i) {
    const int j = sketch.point.columns[i];
    spreads[j] = {};
    if (source.columns[j].number_type == nullptr) continue;
    require_finite_extent(source.columns[j].name, sketch.low[j], sketch.high[j]);
    spreads[j] = {scales[static_cast<std::size_t>(i)].scale, sketch.high[j] - sketch.low[j], 0};
  }
  return spreads;
}

/// Receives rows for the stores. Plain data.
struct Distribution {
  const BlockCuts* cuts;
  Block row;             ///< holds one row
  const Sketch* sketch;  ///< of the first reading
  double** places;
  Parts* parts;
  RowsOfPersons* persons;  ///< null if each row is a person of its own
  MemoryContext context;
};

/// The place of a cell on its axis. Nulls among numbers were refused in the first reading; one that
/// comes later is after all numbers.
double place_of(const Distribution& distribution, int j) {
  const double x = distribution.row.values[j];
  if (distribution.places[j] == nullptr) return x;
  const auto code = static_cast<int32>(x);
  const int32 categories = distribution.sketch->hashes[j].count;
  if (code >= categories) refuse_other_rows();
  return place_of_code(distribution.places[j], code, categories);
}

/// The part of a row, from 0.
int32 part_of(Distribution& distribution, const TupleTableSlot* slot) {
  read_block_row(distribution.row, 0, slot);
  const NamedPoint& point = distribution.sketch->point;
  for (int i = 0; i < point.count; ++i) point.values[i] = place_of(distribution, point.columns[i]);
  return block_of(distribution.cuts->cuts.data(), distribution.cuts->root, point.values) - 1;
}

void begin_stores(Distribution& distribution, TupleDesc descriptor) {
  Parts& parts = *distribution.parts;
  MemoryContext old = MemoryContextSwitchTo(distribution.context);
  parts.descriptor = CreateTupleDescCopy(descriptor);
  for (int32 part = 0; part < parts.count; ++part)
    parts.stores[part] =
        tuplestore_begin_heap(false, false, std::max(kLeastStore, work_mem / parts.count));
  MemoryContextSwitchTo(old);
}

void distribute(TupleTableSlot* slot, void* state) {
  auto& distribution = *static_cast<Distribution*>(state);
  Parts& parts = *distribution.parts;
  if (parts.descriptor == nullptr) begin_stores(distribution, slot->tts_tupleDescriptor);
  const int32 part = part_of(distribution, slot);
  if (distribution.persons != nullptr)
    add_row_of_person(*distribution.persons, slot, part, parts.stores);
  else
    tuplestore_puttupleslot(parts.stores[part], slot);
}

/// Reads the source again.
void distribute_rows(const RowReading& reading, Distribution& distribution) {
  const int units = reading.units.count;
  if (units == 0) {
    for_each_row(reading_query(reading), distribute, &distribution);
    return;
  }
  RowsOfPersons persons = begin_persons(static_cast<AttrNumber>(reading.first_unit + 1), units,
                                        distribution.parts->count);
  distribution.persons = &persons;
  for_each_row(ordered_by_person(reading_query(reading), persons), distribute, &distribution);
  end_persons(persons, distribution.parts->stores);
}

}  // namespace

Parts read_parts(const Source& source, const Spec& spec, const Loaded& sketched) {
  Loaded unused;
  const RowReading reading = begin_reading(source, spec, Spool::columns, Excess::refuse, unused);
  const double allowed = kShareOfPart * 1024 * max_memory;
  Sampled& sampled = take_sample(source, sketched);
  Parts parts = {};
  Distribution distribution = {nullptr,
                               sketched.quasi_identifiers,
                               sketched.sketch,
                               place_categories(source, sketched, sampled),
                               &parts,
                               nullptr,
                               CurrentMemoryContext};
  parts.domain = domain_of(source, sketched);
  parts.spreads = learn_spreads(source, sketched, sampled);
  distribution.cuts = &learn_parts(
      sketched, sampled, static_cast<int64>(allowed) / reading.bytes_per_row, spec.options.k);
  parts.count = distribution.cuts->count;
  parts.stores = allocate<Tuplestorestate*>(parts.count);
  distribute_rows(reading, distribution);
  if (unused.spool != nullptr) tuplestore_end(unused.spool);
  // A view can return no rows at its second reading.
  if (parts.descriptor == nullptr) refuse_other_rows();
  return parts;
}

Loaded read_part(const Source& source, const Spec& spec, const Parts& parts, int32 part) {
  Loaded loaded;
  RowReading reading = begin_reading(source, spec, Spool::columns, Excess::refuse, loaded);
  TupleTableSlot* slot = MakeSingleTupleTableSlot(parts.descriptor, &TTSOpsMinimalTuple);
  MemoryContext scratch =
      AllocSetContextCreate(CurrentMemoryContext, "anonkit row", ALLOCSET_DEFAULT_SIZES);
  while (tuplestore_gettupleslot(parts.stores[part], true, false, slot)) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(slot);
    MemoryContext old = MemoryContextSwitchTo(scratch);
    receive_row(slot, &reading);
    MemoryContextSwitchTo(old);
    MemoryContextReset(scratch);
  }
  MemoryContextDelete(scratch);
  ExecDropSingleTupleTableSlot(slot);
  tuplestore_end(parts.stores[part]);
  append_domain(parts.domain, loaded);
  finish_reading(reading, spec);
  return loaded;
}

}  // namespace anonkit::pg
