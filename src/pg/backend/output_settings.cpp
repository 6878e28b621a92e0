#include "pg/backend/output_settings.hpp"

namespace anonkit::pg {

void set_in_nest(const char* name, const char* value) {
  set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

int pin_output_settings() {
  static constexpr const char* kPinned[][2] = {
      {"datestyle", "ISO, YMD"},       {"timezone", "UTC"},         {"intervalstyle", "postgres"},
      {"bytea_output", "hex"},         {"extra_float_digits", "1"}, {"lc_monetary", "C"},
      {"quote_all_identifiers", "off"}};
  const int nest = NewGUCNestLevel();
  for (const auto& pinned : kPinned) set_in_nest(pinned[0], pinned[1]);
  return nest;
}

void unpin_output_settings(int nest) {
  AtEOXact_GUC(true, nest);
}

}  // namespace anonkit::pg
