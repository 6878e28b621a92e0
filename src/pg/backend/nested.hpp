#pragma once

#include "pg/backend/boundary.hpp"

namespace anonkit::pg {

/// Calls within calls, as a list from the innermost. Code of a relation that a call reads may call
/// anonkit again. An entry ends with its memory context; after an error contexts may end in any
/// order. Entry begins with `Nested<Entry> nested`. Plain data.
template <class Entry>
struct Nested {
  Entry* outer;
  Entry** innermost;
  MemoryContextCallback end;
};

template <class Entry>
void end_nested(void* ended) {
  Entry** link = static_cast<Entry*>(ended)->nested.innermost;
  while (*link != nullptr && *link != ended) link = &(*link)->nested.outer;
  if (*link != nullptr) *link = (*link)->nested.outer;
}

/// Makes an entry the innermost one until the context is reset or deleted.
template <class Entry>
void begin_nested(Entry* entry, Entry*& innermost, MemoryContext context) {
  entry->nested = {innermost, &innermost, {end_nested<Entry>, entry, nullptr}};
  MemoryContextRegisterResetCallback(context, &entry->nested.end);
  innermost = entry;
}

}  // namespace anonkit::pg
