#pragma once

#include "risk/exact_matches.hpp"
#include "risk/exposure.hpp"
#include "risk/inference.hpp"

#include "pg/read/pair_reader.hpp"
#include "pg/risk/figure_list.hpp"

namespace anonkit::pg {

/// The columns of a pair by their places: quasi-identifiers first, then sensitive ones. The key's
/// are the last of all. Plain data.
struct AttackedColumns {
  int qi;
  int sensitive;
  int key;
};

/// The success of an attacker who knows the original quasi-identifiers.
struct PairAttack {
  Linkage linkage;
  ExactMatches exact;
  std::vector<GuessedRight> guessed;  ///< one per sensitive column
  std::vector<Exposure> exposures;    ///< one per quasi-identifier
};

/// Measures linkage, inference, or both by one search for the nearest published records. `k` of
/// them vote for a sensitive value.
enum class Attacks : uint8 { linkage, inference, both };
PairAttack& attack_pair(const PairData& data, const AttackedColumns& columns, Attacks attacks,
                        int32 k);

void add_links(const Linkage& linkage, bool images_known, Figures& figures);
void add_exact_matches(const ExactMatches& exact, Figures& figures);
void add_inferences(const PairAttack& found, const PairData& data, const AttackedColumns& columns,
                    Figures& figures);

}  // namespace anonkit::pg
