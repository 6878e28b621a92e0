#include "pg/backend/memory_count.hpp"

#include "pg/backend/settings.hpp"

namespace anonkit::pg {

void count_memory(MemoryCount& memory, int64 bytes, const char* detail) {
  memory.bytes += bytes;
  if (memory.bytes / 1024 <= max_memory) return;
  refuse_memory(detail,
                "Raise anonkit.max_memory, or divide the table into blocks with anon_blocks.");
}

void refuse_memory(const char* detail, const char* hint) {
  ereport(ERROR, (errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
                  errmsg("anonymization needs more memory than anonkit.max_memory allows"),
                  detail != nullptr ? errdetail("%s", detail) : 0, errhint("%s", hint)));
}

}  // namespace anonkit::pg
