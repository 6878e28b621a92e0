#pragma once

// All code that depends on the server's version (14 to 18). Only pg.hpp includes it.
//
// Each section defines the newest version's function for older servers, or an anonkit_ name where
// signatures differ. Callers contain no version tests.
//
//   InitMaterializedSRF(fcinfo, 0);                         // also on PostgreSQL 14
//   const bool owner = anonkit_is_owner(relation, GetUserId());
//   reserve_settings_prefix("anonkit");

#if PG_VERSION_NUM < 140000
#error "anonkit needs PostgreSQL 14 or later"
#endif

#if PG_VERSION_NUM < 150000
/// PostgreSQL 15's InitMaterializedSRF, for a function with a declared result type.
static inline void InitMaterializedSRF(FunctionCallInfo fcinfo, bits32 flags) {
  auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
  if (result == nullptr || !IsA(result, ReturnSetInfo))
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("set-valued function called in context that cannot accept a set")));
  if (!(result->allowedModes & SFRM_Materialize))
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("materialize mode required, but it is not allowed in this context")));
  MemoryContext old = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
  TupleDesc desc = nullptr;
  if ((flags & MAT_SRF_USE_EXPECTED_DESC) != 0)
    desc = CreateTupleDescCopy(result->expectedDesc);
  else if (get_call_result_type(fcinfo, nullptr, &desc) != TYPEFUNC_COMPOSITE)
    elog(ERROR, "return type must be a row type");
  result->returnMode = SFRM_Materialize;
  result->setResult =
      tuplestore_begin_heap((result->allowedModes & SFRM_Materialize_Random) != 0, false, work_mem);
  result->setDesc = desc;
  MemoryContextSwitchTo(old);
}
#endif

#if PG_VERSION_NUM < 150000
#define TUPLESORT_NONE false
#endif

#if PG_VERSION_NUM < 160000
using RelFileNumber = Oid;
extern "C" PGDLLEXPORT void _PG_init(void);
#endif

/// Reserves the prefix of the extension's settings.
static inline void reserve_settings_prefix(const char* prefix) {
#if PG_VERSION_NUM >= 150000
  MarkGUCPrefixReserved(prefix);
#else
  EmitWarningsOnPlaceholders(prefix);
#endif
}

/// The wait event of that name; before PostgreSQL 17 all extensions share one.
static inline uint32 anonkit_wait_event(const char* name) {
#if PG_VERSION_NUM >= 170000
  return WaitEventExtensionNew(name);
#else
  (void)name;
  return PG_WAIT_EXTENSION;
#endif
}

/// LockHeldByMe for exactly this mode; commands that use it include storage/lock.h.
#if PG_VERSION_NUM >= 170000
#define anonkit_holds_lock(tag, mode) LockHeldByMe(tag, mode, false)
#else
#define anonkit_holds_lock(tag, mode) LockHeldByMe(tag, mode)
#endif

/// The timeline that the server writes; commands that use it include access/xlog.h.
#if PG_VERSION_NUM >= 150000
#define anonkit_timeline() GetWALInsertionTimeLine()
#else
#define anonkit_timeline() (static_cast<void>(RecoveryInProgress()), ThisTimeLineID)
#endif

/// make_range of a non-empty range, raising its errors.
#if PG_VERSION_NUM >= 160000
#define anonkit_make_range(cache, lower, upper) make_range(cache, lower, upper, false, nullptr)
#else
#define anonkit_make_range(cache, lower, upper) make_range(cache, lower, upper, false)
#endif

/// The publications of all tables of a schema, which PostgreSQL 15 has added; commands that use it
/// include catalog/pg_publication.h.
#if PG_VERSION_NUM >= 150000
#define anonkit_schema_publications(schema) GetSchemaPublications(schema)
#else
#define anonkit_schema_publications(schema) NIL
#endif

/// True if no row has a null in the column at `place`. Rows older than a constraint NOT NULL NOT
/// VALID, which PostgreSQL 18 has added, may have one.
#if PG_VERSION_NUM >= 180000
inline bool has_no_null(TupleDesc descriptor, int place) {
  return TupleDescCompactAttr(descriptor, place)->attnullability == ATTNULLABLE_VALID;
}
#else
inline bool has_no_null(TupleDesc descriptor, int place) {
  return TupleDescAttr(descriptor, place)->attnotnull;
}
#endif

/// True if the role owns the relation.
#if PG_VERSION_NUM >= 160000
#define anonkit_is_owner(relation, role) object_ownercheck(RelationRelationId, relation, role)
#else
#define anonkit_is_owner(relation, role) pg_class_ownercheck(relation, role)
#endif

/// True if the role may refresh the materialized view.
#if PG_VERSION_NUM >= 170000
#define anonkit_may_maintain(relation, role) \
  (pg_class_aclcheck(relation, role, ACL_MAINTAIN) == ACLCHECK_OK)
#else
#define anonkit_may_maintain(relation, role) anonkit_is_owner(relation, role)
#endif

/// True if the role may execute the function.
#if PG_VERSION_NUM >= 160000
#define anonkit_may_execute(function, role) \
  (object_aclcheck(ProcedureRelationId, function, role, ACL_EXECUTE) == ACLCHECK_OK)
#else
#define anonkit_may_execute(function, role) \
  (pg_proc_aclcheck(function, role, ACL_EXECUTE) == ACLCHECK_OK)
#endif

/// True if the role may use the names in the schema.
#if PG_VERSION_NUM >= 160000
#define anonkit_may_use_schema(schema, role) \
  (object_aclcheck(NamespaceRelationId, schema, role, ACL_USAGE) == ACLCHECK_OK)
#else
#define anonkit_may_use_schema(schema, role) \
  (pg_namespace_aclcheck(schema, role, ACL_USAGE) == ACLCHECK_OK)
#endif
