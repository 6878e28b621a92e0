#pragma once

#include "pg/backend/json_build.hpp"

namespace anonkit::pg {

constexpr int kLargestM = 3;

/// The promises of related tables. Plain data.
struct SetPromises {
  int m;         ///< kLargestM + 1: all
  int32 k;       ///< 0: none
  double alpha;  ///< above 1: none
  int32 l;       ///< 0: none
  bool counts;   ///< k by the numbers of rows, too
};

/// The rows that an adversary knows, as SQL writes them: '0' to '3', 'all'.
const char* word_of_m(int m);
/// An error for any other text, or null.
int m_of_word(const char* word);

/// "P(5,all), A(0.5,all), linked 2-diversity".
const char* words_of_promises(const SetPromises& promises);

void add_promises(JsonObject& json, const SetPromises& promises);
/// Reads what add_promises has written. Errors name the key.
SetPromises promises_in(Jsonb* json);

}  // namespace anonkit::pg
