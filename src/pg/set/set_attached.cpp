#include "pg/set/set_attached.hpp"

#include <algorithm>

#include "pg/backend/catalog_rows.hpp"

extern "C" {
#include "catalog/pg_constraint.h"
#include "catalog/pg_inherits.h"
}

namespace anonkit::pg {
namespace {

bool is_released(const SetQuery& set, Oid table) {
  const Oid* end = set.released.tables + set.released.count;
  return std::find(static_cast<const Oid*>(set.released.tables), end, table) != end;
}

constexpr char kDisregards[] =
    "A refresh writes the rows of the table without regard to other tables and to constraints.";
constexpr char kRunsIt[] = "It could change the rows that a refresh adds.";
constexpr char kIsDeferred[] =
    "A refresh adds rows in a security-restricted operation, which leaves no check to the end of "
    "the transaction.";

[[noreturn]] void refuse(Oid table, const char* object, const char* remedy,
                         const char* reason = kDisregards) {
  ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                  errmsg("table \"%s\" of the set %s", get_rel_name(table), object),
                  errdetail("%s", reason),
                  errhint("%s, or use anon_drop_set and anon_publish_set.", remedy)));
  pg_unreachable();
}

void refuse_constraint(const SetQuery& set, const FormData_pg_constraint& constraint) {
  const char* name = NameStr(constraint.conname);
  const bool own = is_released(set, constraint.conrelid);
  if (own && constraint.contype == CONSTRAINT_CHECK)
    refuse(constraint.conrelid, psprintf("has the CHECK constraint \"%s\"", name),
           "Drop the constraint");
  if (constraint.contype != CONSTRAINT_FOREIGN) return;
  const bool other = is_released(set, constraint.confrelid);
  if (own && !other)
    refuse(constraint.conrelid,
           psprintf("has the foreign key \"%s\" to table \"%s\"", name,
                    get_rel_name(constraint.confrelid)),
           "Drop the foreign key");
  if (other && !own)
    refuse(constraint.confrelid,
           psprintf("is referred to by the foreign key \"%s\" of table \"%s\"", name,
                    get_rel_name(constraint.conrelid)),
           "Drop the foreign key");
}

void refuse_inheritance(const SetQuery& set, const FormData_pg_inherits& link) {
  if (is_released(set, link.inhrelid))
    refuse(link.inhrelid, psprintf("is a child of table \"%s\"", get_rel_name(link.inhparent)),
           "Detach it");
  if (is_released(set, link.inhparent))
    refuse(link.inhparent, psprintf("has the child \"%s\"", get_rel_name(link.inhrelid)),
           "Detach the child");
}

/// Calls for each row of a catalog, which has no index by both tables of a row.
template <class Form>
void for_each_entry(Oid catalog, const SetQuery& set, void (*look)(const SetQuery&, const Form&)) {
  for_catalog_rows<Form>(catalog, InvalidOid, nullptr, 0,
                         [&](const Form& entry) { look(set, entry); });
}

}  // namespace

void refuse_attached_code(Oid released) {
  Relation table = table_open(released, NoLock);
  const TriggerDesc* triggers = table->trigdesc;
  for (int i = 0; triggers != nullptr && i < triggers->numtriggers; ++i) {
    const Trigger& trigger = triggers->triggers[i];
    if (!trigger.tgisinternal)
      refuse(released, psprintf("has the trigger \"%s\"", trigger.tgname), "Drop the trigger",
             kRunsIt);
    if (trigger.tginitdeferred)
      refuse(
          released,
          psprintf("has the deferred constraint \"%s\"", get_constraint_name(trigger.tgconstraint)),
          "Make the constraint INITIALLY IMMEDIATE", kIsDeferred);
  }
  if (table->rd_rules != nullptr) refuse(released, "has a rule", "Drop the rule", kRunsIt);
  if (table->rd_rel->relforcerowsecurity)
    refuse(released, "has policies for its owner", "Use NO FORCE ROW LEVEL SECURITY", kRunsIt);
  table_close(table, NoLock);
}

void refuse_attached(const SetQuery& set) {
  for_each_entry(ConstraintRelationId, set, refuse_constraint);
  for_each_entry(InheritsRelationId, set, refuse_inheritance);
}

}  // namespace anonkit::pg
