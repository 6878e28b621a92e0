#pragma once

namespace anonkit::pg {

/// Called with each error that leaves an SQL function, before it goes on; null: nothing. It may
/// raise another error in its place.
extern void (*explain_error)();

}  // namespace anonkit::pg
