#include "pg/backend/wait_event.hpp"

#include <cctype>

namespace anonkit::pg {
namespace {

/// "Anonkit" and the stage's words, in the form of PostgreSQL's own names of wait events.
void append_name(StringInfo name, const char* stage) {
  appendStringInfoString(name, "Anonkit");
  bool starts_word = true;
  for (; *stage != '\0'; ++stage) {
    const auto letter = static_cast<unsigned char>(*stage);
    if (std::isalnum(letter) != 0)
      appendStringInfoChar(name, static_cast<char>(starts_word ? std::toupper(letter) : letter));
    starts_word = std::isalnum(letter) == 0;
  }
}

}  // namespace

void show_wait_event(const char* stage) {
  StringInfoData name;
  initStringInfo(&name);
  append_name(&name, stage);
  pgstat_report_wait_start(anonkit_wait_event(name.data));
  pfree(name.data);
}

void hide_wait_event() {
  pgstat_report_wait_end();
}

}  // namespace anonkit::pg
