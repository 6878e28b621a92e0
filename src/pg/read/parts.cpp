#include "pg/read/parts.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "space/block_cuts.hpp"
#include "space/sampled_scales.hpp"
#include "table/nulls/strata.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/memory_count.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"
#include "pg/read/row_reading.hpp"

namespace anonkit::pg {
namespace {

/// Parts get this share of the allowed memory, because cuts divide a sample: some are larger.
constexpr double kShareOfPart = 0.5;
/// The least memory of a store, in kilobytes.
constexpr int kLeastStore = 64;

/// The cuts of a table, and the scales of its columns, in the order of their names.
struct Division {
  BlockCuts cuts;
  std::vector<Scale> scales;
};

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

std::vector<std::string> names_of(const Source& source, const NamedPoint& point) {
  std::vector<std::string> names;
  for (int i = 0; i < point.count; ++i) names.emplace_back(source.columns[point.columns[i]].name);
  return names;
}

/// Calls the core. The current memory context owns the result.
const Division& divide(const Source& source, const NamedPoint& point, const Loaded& sampled,
                       int64 rows_of_part, const Options& options) {
  const std::vector<std::string> names = names_of(source, point);
  refuse_nulls(names, std::vector<std::int64_t>(sampled.nulls, sampled.nulls + point.count),
               "Select from a view without them.");
  const CountedPoints points = sampled.sample->take();
  const std::int64_t parts = count_parts(*sampled.sample, points, rows_of_part, options.k);
  BackendTicker ticker;
  return own_in_context(std::make_unique<Division>(Division{
      learn_blocks(points, parts, ticker), scales_of(points, names, options.standardize)}));
}

/// Receives rows for the stores. Plain data.
struct Distribution {
  const Division* division;
  Block* row;  ///< holds one row
  NamedPoint point;
  Parts* parts;
  MemoryContext context;
};

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
  if (distribution.parts->descriptor == nullptr)
    begin_stores(distribution, slot->tts_tupleDescriptor);
  read_block_row(*distribution.row, 0, slot);
  // A null comes after all numbers. Those of the first reading were refused.
  take_point(distribution.point, *distribution.row, 0);
  const BlockCuts& cuts = distribution.division->cuts;
  const BlockNode part = block_of(cuts.cuts.data(), cuts.root, distribution.point.values);
  tuplestore_puttupleslot(distribution.parts->stores[part - 1], slot);
}

/// By quasi-identifier.
double* scales_by_column(const Division& division, const NamedPoint& point) {
  double* scales = allocate<double>(point.count);
  for (int i = 0; i < point.count; ++i)
    scales[point.columns[i]] = division.scales[static_cast<std::size_t>(i)].scale;
  return scales;
}

}  // namespace

Parts read_parts(const Source& source, const Spec& spec, const Loaded& sampled) {
  Loaded unused;
  const RowReading reading = begin_reading(source, spec, Spool::columns, Excess::refuse, unused);
  const double allowed = kShareOfPart * 1024 * max_memory;
  const NamedPoint point = make_named_point(source);
  const Division& division = divide(
      source, point, sampled, static_cast<int64>(allowed) / reading.bytes_per_row, spec.options);
  Parts parts = {};
  parts.count = division.cuts.count;
  parts.scales = scales_by_column(division, point);
  parts.stores = allocate<Tuplestorestate*>(parts.count);
  Distribution distribution = {&division, &unused.quasi_identifiers, point, &parts,
                               CurrentMemoryContext};
  for_each_row(reading_query(reading), distribute, &distribution);
  if (unused.spool != nullptr) tuplestore_end(unused.spool);
  // A view can return no rows at its second reading.
  if (parts.descriptor == nullptr)
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                    errmsg("the source returns other rows each time that it is read"),
                    errhint("Copy it into a table first.")));
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
  finish_reading(reading, spec);
  return loaded;
}

}  // namespace anonkit::pg
