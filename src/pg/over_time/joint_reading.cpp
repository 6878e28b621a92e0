#include "pg/over_time/joint_reading.hpp"

#include <algorithm>
#include <cstring>

#include "suppression.hpp"

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/described.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/backend/user_query.hpp"
#include "pg/over_time/canonical.hpp"
#include "pg/over_time/entry.hpp"
#include "pg/over_time/places_reading.hpp"
#include "pg/release/release_query.hpp"
#include "pg/release/run.hpp"
#include "pg/release/secret_seed.hpp"

namespace anonkit::pg {
namespace {

constexpr int64 kFirstJointCapacity = 1024;
constexpr char kTid[] = "ctid";

/// The row, its places in the core's lists, and the joint classes.
constexpr int64 kBytesPerJointRow = 200;

void grow(JointRows& rows) {
  const int64 more = rows.capacity / 2;
  count_memory(*rows.memory, more * (kBytesPerJointRow + rows.attribute_count));
  rows.capacity += more;
  resize(rows.release, rows.capacity);
  resize(rows.class_of, rows.capacity);
  resize(rows.gone, rows.capacity);
  resize(rows.holder, rows.capacity);
  for (int i = 0; i < rows.link_count; ++i) grow_ranks(rows.link[i].ranks, rows.capacity);
  for (int a = 0; a < rows.attribute_count; ++a) {
    grow_ranks(rows.attributes[a].ranks, rows.capacity);
    resize(rows.attributes[a].shown, rows.capacity);
  }
}

/// A row without a value and without a link.
int64 add_row(JointRows& rows, int r, int32 class_of) {
  if (rows.count >= INT_MAX)
    ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many rows to audit")));
  if (rows.count == rows.capacity) grow(rows);
  const int64 row = rows.count++;
  rows.release[row] = r;
  rows.class_of[row] = class_of;
  rows.gone[row] = true;
  rows.holder[row] = 0;
  for (int i = 0; i < rows.link_count; ++i) add_value(rows.link[i].ranks, row, 0, true);
  for (int a = 0; a < rows.attribute_count; ++a) {
    add_value(rows.attributes[a].ranks, row, 0, true);
    rows.attributes[a].shown[row] = false;
  }
  return row;
}

/// Links a row by the values of a slot: place_of(i) is the attribute of the link's i-th column.
template <class PlaceOf>
void link_row_by(JointRows& rows, int64 row, const TupleTableSlot* slot, PlaceOf place_of) {
  for (int i = 0; i < rows.link_count; ++i) {
    if (slot->tts_isnull[place_of(i)])
      ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                      errmsg("column \"%s\" identifies rows and contains nulls", rows.link[i].name),
                      errhint("Name other columns in key.")));
    add_value(rows.link[i].ranks, row, slot->tts_values[place_of(i)], false);
  }
  rows.gone[row] = false;
}

/// By the values from attribute `first` on.
void link_row(JointRows& rows, int64 row, const TupleTableSlot* slot, int first) {
  link_row_by(rows, row, slot, [first](int i) { return first + i; });
}

void show_value(JointColumn& attribute, int64 row, const TupleTableSlot* slot, int at) {
  add_value(attribute.ranks, row, slot->tts_values[at], slot->tts_isnull[at]);
  attribute.shown[row] = true;
}

/// The place of an attribute among the released columns behind the quasi-identifiers; -1 if the
/// release does not publish it as it is.
int place_of(const Source& source, const char* name) {
  for (int i = 0; i < source.spooled_count(); ++i) {
    const SourceColumn& column = source.spooled()[i];
    if (column.coarsening == nullptr && !column.pseudonym && std::strcmp(column.name, name) == 0)
      return i;
  }
  return -1;
}

/// The places of all attributes, by attribute.
const int* places_of_attributes(const JointRows& rows, const Source& source) {
  int* places = allocate<int>(rows.attribute_count);
  for (int a = 0; a < rows.attribute_count; ++a)
    places[a] = place_of(source, rows.attributes[a].name);
  return places;
}

// ---- a release without a key: its classes are formed again --------------------------------------

/// Reads the link along with the source, behind the released columns. It is neither kept nor
/// sensitive, so no fingerprint includes it: it breaks no tie, and the classes are the release's.
void add_link(Source& source, const JointRows& rows) {
  auto* columns = allocate<SourceColumn>(source.count + int64{rows.link_count});
  std::copy_n(source.columns, source.count, columns);
  for (int i = 0; i < rows.link_count; ++i) {
    SourceColumn& column = columns[source.count + i] = {};
    column.name = pstrdup(rows.link[i].name);
    column.role = Role::quasi_identifier;
    column.declared_type = column.released_type = rows.link[i].type;
    column.base_type = getBaseType(column.declared_type);
    column.released_typmod = -1;
  }
  source.columns = columns;
  source.count += rows.link_count;
}

std::unique_ptr<Anonymized> form_again(const Run& run) {
  BackendTicker ticker;
  return std::make_unique<Anonymized>(anonymize_within_budget(
      table_of(run.source, run.spec, run.loaded), *run.spec.method, run.spec.options, ticker));
}

/// `places`: of the attributes; the link stands behind the `published` columns.
void take_formed(JointRows& rows, const Run& run, int r, const int* places, int published) {
  const Loaded& loaded = run.loaded;
  TupleTableSlot* slot = MakeSingleTupleTableSlot(loaded.spool_descriptor, &TTSOpsMinimalTuple);
  for (int64 i = 0; tuplestore_gettupleslot(loaded.spool, true, false, slot); ++i) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(slot);
    const int64 row = add_row(rows, r, run.published_class_of(i));
    link_row(rows, row, slot, published);
    for (int a = 0; a < rows.attribute_count; ++a) {
      const int at = places[a];
      if (at < 0 || rows.class_of[row] == kNone) continue;
      if (run.source.spooled()[at].role == Role::sensitive && run.withholds(i)) continue;
      show_value(rows.attributes[a], row, slot, at);
    }
  }
  ExecDropSingleTupleTableSlot(slot);
  tuplestore_end(loaded.spool);
}

void read_formed(JointRows& rows, const JoinedRelease& release, int r) {
  Spec spec = release.spec;
  if (spec.secret_seed) use_secret(spec, secret_of(release.relation));
  Run run = begin_run(release.source, spec);
  const int published = run.source.spooled_count();
  const int* places = places_of_attributes(rows, run.source);
  add_link(run.source, rows);
  read_rows(run, Spool::columns, Excess::refuse);
  if (published == 0) run.loaded.fingerprints = run.loaded.kept_fingerprints = nullptr;
  take_classes(run, form_again(run));
  take_formed(rows, run, r, places, published);
}

// ---- a release with a key: its places -----------------------------------------------------------

struct PlacesOf {
  JointRows* rows;
  int release;
  int64 first;  ///< the first row of the release
  int64 capacity;
  uint8* persons;  ///< by place
  PlaceReading reading;
  const Source* source;
  const int* place_of;  ///< by attribute, in the source
  const Key* key;
  const Hasher* hasher;
  const int64* sorted;  ///< places by person
  int64 count;
  int64 present;  ///< rows of the source
  int64 known;    ///< of them with a place
};

void read_joint_place(TupleTableSlot* slot, void* state) {
  auto& places = *static_cast<PlacesOf*>(state);
  JointRows& rows = *places.rows;
  const PlaceValues values = read_place_values(places.reading, slot);
  const int64 row = add_row(rows, places.release, static_cast<int32>(values.cohort));
  rows.holder[row] = holder_of(values.holder);
  if (places.count == places.capacity)
    resize(places.persons, (places.capacity *= 2) * kPersonBytes);
  std::memcpy(places.persons + places.count++ * kPersonBytes, values.person, kPersonBytes);
  for (int a = 0; a < rows.attribute_count; ++a) {
    const int at = places.place_of[a];
    if (at >= 0)
      show_value(rows.attributes[a], row, slot,
                 kPlaceValues + places.source->quasi_identifiers + at);
  }
}

/// Classes that withhold their sensitive values show none.
void hide_withheld(const PlacesOf& places) {
  JointRows& rows = *places.rows;
  for (int a = 0; a < rows.attribute_count; ++a) {
    const int at = places.place_of[a];
    if (at < 0 || places.source->spooled()[at].role != Role::sensitive) continue;
    for (int64 row = places.first; row < places.first + places.count; ++row) {
      if ((row & 0xfff) == 0) CHECK_FOR_INTERRUPTS();
      rows.attributes[a].shown[row] = places.reading.lives[rows.class_of[row]].shows;
    }
  }
}

/// The hashes of all places, for a sort.
struct PersonOrder {
  const uint8* persons;
  uint64 compared;
};

int compare_persons(const void* a, const void* b, void* state) {
  auto& order = *static_cast<PersonOrder*>(state);
  if ((++order.compared & 0xfff) == 0) CHECK_FOR_INTERRUPTS();
  return std::memcmp(order.persons + *static_cast<const int64*>(a) * kPersonBytes,
                     order.persons + *static_cast<const int64*>(b) * kPersonBytes, kPersonBytes);
}

/// Places by person.
const int64* sort_places(const PlacesOf& places) {
  int64* sorted = allocate<int64>(places.count);
  for (int64 i = 0; i < places.count; ++i) sorted[i] = i;
  PersonOrder order = {places.persons, 0};
  qsort_arg(sorted, static_cast<std::size_t>(places.count), sizeof *sorted, compare_persons,
            &order);
  return sorted;
}

/// The place of a person, by bisection; -1 without one.
int64 find_place(const PlacesOf& places, const uint8* person) {
  int64 low = 0;
  for (int64 high = places.count; low < high;) {
    const int64 middle = (low + high) / 2;
    const uint8* other = places.persons + places.sorted[middle] * kPersonBytes;
    if (std::memcmp(other, person, kPersonBytes) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  const bool found =
      low < places.count &&
      std::memcmp(places.persons + places.sorted[low] * kPersonBytes, person, kPersonBytes) == 0;
  return found ? places.sorted[low] : -1;
}

/// A row of the source: the key of the release, then the link.
void link_present(TupleTableSlot* slot, void* state) {
  auto& places = *static_cast<PlacesOf*>(state);
  for (int i = 0; i < places.key->count; ++i)
    if (slot->tts_isnull[i])
      ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                      errmsg("key column \"%s\" contains nulls", places.key->columns[i].name)));
  uint8 person[kPersonBytes];
  hash_person(*places.hasher, *places.key, slot->tts_values, person);
  const int64 place = find_place(places, person);
  ++places.present;
  places.known += place >= 0 ? 1 : 0;
  const int64 row =
      place >= 0 ? places.first + place : add_row(*places.rows, places.release, kNone);
  link_row(*places.rows, row, slot, places.key->count);
}

void link_source(PlacesOf& places, const OpenState& open) {
  UserQuery query = begin_user_query();
  for (int i = 0; i < open.key.count; ++i) add_column(query, open.key.columns[i].name);
  for (int i = 0; i < places.rows->link_count; ++i) add_column(query, places.rows->link[i].name);
  const Hasher hasher = make_hasher(
      open.memory.secret, forms_of(open.key.columns, open.key.count, open.memory.enums), nullptr);
  places.hasher = &hasher;
  for_each_row(end_user_query(query, open.source.relation), link_present, &places);
}

/// Other keys for the same persons would hide what two releases tell together.
void warn_of_unknown_keys(const JoinedRelease& release, const PlacesOf& places) {
  if (2 * places.known >= places.present) return;
  ereport(NOTICE,
          (errmsg("release \"%s\" does not know most keys of its source",
                  get_rel_name(release.relation)),
           errdetail("The source has " INT64_FORMAT " rows; " INT64_FORMAT " of them have a place.",
                     places.present, places.known),
           errhint("If the same persons got other keys, they are in both releases, and the "
                   "figures of what these tell together are too good.")));
}

void read_placed(JointRows& rows, const JoinedRelease& release, int r) {
  const OpenState open = open_state(release.over_time, release.spec);
  PlacesOf places = {};
  places.rows = &rows;
  places.release = r;
  places.first = rows.count;
  places.capacity = kFirstJointCapacity;
  places.persons = allocate<uint8>(places.capacity * kPersonBytes);
  places.source = &open.source;
  places.place_of = places_of_attributes(rows, open.source);
  places.key = &open.key;
  places.reading = begin_places(release.over_time.places, open.source, open.key, open.memory,
                                open.memory.classes, open.memory.version);
  for_each_row(psprintf("SELECT %s FROM %s AS place", place_list(open.source, open.key, "place"),
                        described_name_of(release.over_time.places)),
               read_joint_place, &places);
  require_sum(release.over_time.places, open.source, open.memory.places,
              end_places(places.reading));
  hide_withheld(places);
  places.sorted = sort_places(places);
  link_source(places, open);
  warn_of_unknown_keys(release, places);
}

// ---- columns ------------------------------------------------------------------------------------

/// The declaration of a column in a source; an error unless it is of the type.
FormData_pg_attribute declaration(const JoinedRelease& release, const char* name, Oid type) {
  Relation relation = open_relation(release.source);
  TupleDesc descriptor = RelationGetDescr(relation);
  FormData_pg_attribute found;
  std::memcpy(&found, TupleDescAttr(descriptor, find_column(descriptor, name) - 1),
              ATTRIBUTE_FIXED_PART_SIZE);
  relation_close(relation, NoLock);
  if (OidIsValid(type) && getBaseType(found.atttypid) != getBaseType(type))
    ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                    errmsg("column \"%s\" has another type in the source of \"%s\"", name,
                           get_rel_name(release.relation)),
                    errhint("Cast it in a view.")));
  return found;
}

FormData_pg_attribute tid_declaration() {
  FormData_pg_attribute attribute = {};
  namestrcpy(&attribute.attname, kTid);
  attribute.atttypid = TIDOID;
  attribute.attlen = sizeof(ItemPointerData);
  return attribute;
}

JointColumn make_column(const FormData_pg_attribute& attribute, MemoryCount* memory) {
  return {pstrdup(NameStr(attribute.attname)),
          attribute.atttypid,
          make_value_ranks(&attribute, kFirstJointCapacity, memory),
          allocate<bool>(kFirstJointCapacity),
          AttributeScale::nominal,
          nullptr};
}

JointColumn link_column(const JoinedRelease* releases, int count, const char* name,
                        MemoryCount* memory) {
  const FormData_pg_attribute first = declaration(releases[0], name, InvalidOid);
  for (int r = 1; r < count; ++r) declaration(releases[r], name, first.atttypid);
  return make_column(first, memory);
}

bool has_attribute(const JointRows& rows, const char* name) {
  return std::any_of(rows.attributes, rows.attributes + rows.attribute_count,
                     [name](const JointColumn& one) { return std::strcmp(one.name, name) == 0; });
}

void add_attributes(JointRows& rows, const JoinedRelease* releases, int count) {
  int64 columns = 0;
  for (int r = 0; r < count; ++r) columns += releases[r].columns.spooled_count();
  rows.attributes = allocate<JointColumn>(columns);
  for (int r = 0; r < count; ++r)
    for (int i = 0; i < releases[r].columns.spooled_count(); ++i) {
      const SourceColumn& column = releases[r].columns.spooled()[i];
      if (column.role != Role::sensitive || has_attribute(rows, column.name)) continue;
      const FormData_pg_attribute own = declaration(releases[r], column.name, InvalidOid);
      for (int other = 0; other < count; ++other)
        if (place_of(releases[other].columns, column.name) >= 0)
          declaration(releases[other], column.name, own.atttypid);
      rows.attributes[rows.attribute_count++] = make_column(own, rows.memory);
    }
}

}  // namespace

bool read_joined_release(Oid relation, JoinedRelease& release) {
  release = {};
  release.relation = relation;
  ReleaseQuery query = {};
  if (is_over_time(relation, release.over_time))
    query = {release.over_time.source, release.over_time.spec};
  else if (!read_release(relation, query))
    return false;
  release.source = query.source;
  release.spec = read_spec(query.spec);
  release.columns = resolve_source(release.source, release.spec);
  return true;
}

JoinedRelease joined_release(Oid relation) {
  require_relation(relation);
  require_owner(relation);
  JoinedRelease release;
  if (!read_joined_release(relation, release))
    ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("\"%s\" is not a release", get_rel_name(relation))));
  return release;
}

JointRows make_joint_rows(const JoinedRelease* releases, int count, const Link& link) {
  JointRows rows = {};
  rows.capacity = kFirstJointCapacity;
  rows.memory = new_memory_count(kFewerRows);
  rows.release = allocate<int32>(rows.capacity);
  rows.class_of = allocate<int32>(rows.capacity);
  rows.gone = allocate<bool>(rows.capacity);
  rows.holder = allocate<uint64>(rows.capacity);
  rows.by_tid = link.by_tid;
  rows.link = allocate<JointColumn>(int64{link.key.count} + link.unit.count + 1);
  if (link.by_tid) rows.link[rows.link_count++] = make_column(tid_declaration(), rows.memory);
  for (int i = 0; i < link.key.count; ++i)
    rows.link[rows.link_count++] = link_column(releases, count, link.key.names[i], rows.memory);
  rows.key_count = rows.link_count;
  for (int i = 0; i < link.unit.count; ++i)
    rows.link[rows.link_count++] = link_column(releases, count, link.unit.names[i], rows.memory);
  add_attributes(rows, releases, count);
  return rows;
}

void read_spooled_rows(JointRows& rows, Tuplestorestate* spool, TupleDesc descriptor,
                       const int* places, int r) {
  TupleTableSlot* slot = MakeSingleTupleTableSlot(descriptor, &TTSOpsMinimalTuple);
  tuplestore_rescan(spool);
  for (int32 i = 0; tuplestore_gettupleslot(spool, true, false, slot); ++i) {
    CHECK_FOR_INTERRUPTS();
    slot_getallattrs(slot);
    link_row_by(rows, add_row(rows, r, i), slot, [places](int c) { return places[c]; });
  }
  ExecDropSingleTupleTableSlot(slot);
}

void read_joint_rows(JointRows& rows, const JoinedRelease& release, int r) {
  const OwnersWork work = begin_owners_work(release.relation);
  if (OidIsValid(release.over_time.relation))
    read_placed(rows, release, r);
  else
    read_formed(rows, release, r);
  end_owners_work(work);
}

}  // namespace anonkit::pg
