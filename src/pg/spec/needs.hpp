#pragma once

#include "pg/spec/spec.hpp"

namespace anonkit::pg {

constexpr char kWildcardModel[] = "k-anonymity with wildcards";

/// An option without which a model or another option has no meaning. Plain data.
struct Need {
  const char* what;  ///< such as "a unit"
  const char* hint;
  bool has_report = false;  ///< anon_report takes it, too
};

constexpr Need kNeedsSensitive = {"a sensitive column", "Name one in sensitive.", true};
constexpr Need kNeedsUnit = {"a unit",
                             "Name the columns that identify the person of a row in unit."};
constexpr Need kNeedsPopulation = {"a population",
                                   "Name the relation that the table is a part of in population."};

/// An error for a model that compares versions of a relation.
void require_one_relation(const Model& model);
/// The option that a model of one relation needs and the spec lacks, or null.
const Need* lacking(const Model& model, const Spec& spec);

/// The error for an option that is missing beside a model or another option.
[[noreturn]] void refuse_without(const char* name, const Need& need);

}  // namespace anonkit::pg
