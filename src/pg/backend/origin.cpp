#include "pg/backend/origin.hpp"

#include "pg/backend/compat.hpp"

extern "C" {
#include "access/xlog.h"
}

namespace anonkit::pg {

uint64 present_system() {
  constexpr uint64 kPerTimeline = 0x9e3779b97f4a7c15;
  return GetSystemIdentifier() + (uint64{anonkit_timeline()} - 1) * kPerTimeline;
}

char* present_database() {
  return psprintf(UINT64_FORMAT "/%u", present_system(), MyDatabaseId);
}

}  // namespace anonkit::pg
