#include "pg/release/rows_digest.hpp"

#include "base/random.hpp"

#include "pg/backend/described.hpp"
#include "pg/backend/session.hpp"
#include "pg/read/fingerprint.hpp"

extern "C" {
#include "access/xact.h"
#include "utils/snapmgr.h"
}

namespace anonkit::pg {
namespace {

void digest_row(TupleTableSlot* slot, void* state) {
  add_to_digest(*static_cast<RowsDigest*>(state), slot->tts_tupleDescriptor,
                {slot->tts_values, slot->tts_isnull, 1, {}});
}

}  // namespace

void add_to_digest(RowsDigest& digest, TupleDesc columns, const ReleasedRows& rows) {
  const Fingerprint row = fingerprint_of_row(columns, rows.values, rows.nulls);
  const auto records = static_cast<uint64>(rows.records);
  for (std::size_t half = 0; half < row.size(); ++half)
    digest.sum[half] += mix(row[half]) * records;
  digest.rows += records;
}

void require_digest(Oid release, const RowsDigest& computed) {
  CommandCounterIncrement();
  PushCopiedSnapshot(GetActiveSnapshot());
  UpdateActiveSnapshotCommandId();
  RowsDigest found = {};
  for_each_row(psprintf("SELECT * FROM %s", described_name_of(release)), digest_row, &found);
  PopActiveSnapshot();
  if (found.rows != computed.rows || found.sum != computed.sum)
    refuse_altered(relation_name(release), "Its new rows are not those that were computed.",
                   "Functions of indexes must not alter relations.");
}

}  // namespace anonkit::pg
