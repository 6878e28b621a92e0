#include "pg/backend/output_settings.hpp"

namespace anonkit::pg {

int pin_output_settings() {
  constexpr const char* kPinned[][2] = {{"datestyle", "ISO, YMD"},       {"timezone", "UTC"},
                                        {"intervalstyle", "postgres"},   {"bytea_output", "hex"},
                                        {"extra_float_digits", "1"},     {"lc_monetary", "C"},
                                        {"quote_all_identifiers", "off"}};
  const int nest = NewGUCNestLevel();
  for (const auto& pinned : kPinned)
    set_config_option(pinned[0], pinned[1], PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0,
                      false);
  return nest;
}

void unpin_output_settings(int nest) {
  AtEOXact_GUC(true, nest);
}

}  // namespace anonkit::pg
