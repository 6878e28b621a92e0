#include "pg/backend/being_refreshed.hpp"

#include "pg/backend/nested.hpp"

namespace anonkit::pg {
namespace {

/// A release, or the description of a set. Code of a source may refresh another one meanwhile.
struct Refreshed {
  Nested<Refreshed> nested;
  Oid relation;
};
Refreshed* innermost_refresh = nullptr;

}  // namespace

void begin_refresh(Oid relation, const char* what, const char* name) {
  for (const Refreshed* one = innermost_refresh; one != nullptr; one = one->nested.outer)
    if (one->relation == relation)
      ereport(ERROR, (errcode(ERRCODE_OBJECT_IN_USE),
                      errmsg("%s \"%s\" is being refreshed by this session", what, name),
                      errdetail("A function that its source or an index calls refreshes it "
                                "again."),
                      errhint("Functions of views, policies and indexes must not refresh it.")));
  auto* begun = static_cast<Refreshed*>(palloc(sizeof(Refreshed)));
  begun->relation = relation;
  begin_nested(begun, innermost_refresh, CurrentMemoryContext);
}

}  // namespace anonkit::pg
