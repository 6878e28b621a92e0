#include "pg/release/row_writers.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "pg/backend/described.hpp"
#include "pg/backend/session.hpp"

extern "C" {
#include "access/heapam.h"
#include "access/tableam.h"
#include "catalog/pg_am.h"
#include "utils/snapmgr.h"
}

namespace anonkit::pg {
namespace {

/// Enough for the writers of a release that is refreshed concurrently each night.
constexpr int kFewest = 1 << 12;

void sort_writers(RowWriters& writers) {
  std::sort(writers.list, writers.list + writers.count);
  TransactionId* const end = std::unique(writers.list, writers.list + writers.count);
  writers.count = static_cast<int>(end - writers.list);
}

/// Writers under collection, of whom some are there several times. Plain data.
struct FoundWriters {
  RowWriters writers;
  int capacity;

  void add(TransactionId writer) {
    if (writers.count > 0 && writers.list[writers.count - 1] == writer) return;
    if (writers.count == capacity) make_room();
    writers.list[writers.count++] = writer;
  }
  void make_room() {
    sort_writers(writers);
    if (2 * writers.count < capacity) return;
    capacity *= 2;
    writers.list = static_cast<TransactionId*>(
        repalloc_huge(writers.list, sizeof(TransactionId) * static_cast<Size>(capacity)));
  }
};

}  // namespace

bool RowWriters::has(TransactionId writer) const {
  return std::binary_search(list, list + count, writer);
}

RowWriters writers_of(Oid relation) {
  FoundWriters found = {{allocate<TransactionId>(kFewest), 0}, kFewest};
  Relation opened = open_relation(relation);
  if (opened->rd_rel->relam == HEAP_TABLE_AM_OID) {
    TableScanDesc scan = table_beginscan(opened, SnapshotSelf, 0, nullptr);
    while (HeapTuple row = heap_getnext(scan, ForwardScanDirection)) {
      CHECK_FOR_INTERRUPTS();
      found.add(HeapTupleHeaderGetRawXmin(row->t_data));
    }
    table_endscan(scan);
  }
  relation_close(opened, NoLock);
  sort_writers(found.writers);
  return found.writers;
}

char* text_of_writers(const RowWriters& writers) {
  StringInfoData text;
  initStringInfo(&text);
  for (int i = 0; i < writers.count; ++i)
    appendStringInfo(&text, "%s%u", i > 0 ? "," : "", writers.list[i]);
  return text.data;
}

RowWriters writers_in(const char* text) {
  if (text == nullptr) return {nullptr, 0};
  const auto commas = std::count(text, text + std::strlen(text), ',');
  RowWriters writers = {allocate<TransactionId>(static_cast<int>(commas) + 1), 0};
  for (const char* next = text; next != nullptr; next = std::strchr(next, ',')) {
    if (*next == ',') ++next;
    writers.list[writers.count++] = static_cast<TransactionId>(std::strtoul(next, nullptr, 10));
  }
  sort_writers(writers);
  return writers;
}

}  // namespace anonkit::pg
