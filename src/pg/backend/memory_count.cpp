#include "pg/backend/memory_count.hpp"

#include "pg/backend/session.hpp"
#include "pg/backend/settings.hpp"

namespace anonkit::pg {

MemoryCount* new_memory_count(const char* hint) {
  auto* memory = allocate<MemoryCount>(1);
  *memory = {0, hint};
  return memory;
}

void count_memory(MemoryCount& memory, int64 bytes, const char* detail) {
  memory.bytes += bytes;
  if (memory.bytes / 1024 <= max_memory) return;
  refuse_memory(
      detail, memory.hint != nullptr
                  ? memory.hint
                  : "Raise anonkit.max_memory, or divide the table into blocks with anon_blocks.");
}

void refuse_memory(const char* detail, const char* hint) {
  ereport(ERROR, (errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
                  errmsg("anonymization needs more memory than anonkit.max_memory allows"),
                  detail != nullptr ? errdetail("%s", detail) : 0, errhint("%s", hint)));
}

}  // namespace anonkit::pg
