#pragma once

// The records of a population that match the published cells of a release, by the labels of
// hierarchies: a judge of k-map and delta-presence that sees cells and original values alone.
//
// Phases: the caller describes published cells; classes_of_population() reads the population,
// labels each distinct value on every level, and matches a value with the published cell that is
// one of its labels. Invariant: a record of the population matches at most one class, else an
// error. Memory: 4 bytes per column and row of both relations, and the texts of the cells; the
// caller's count, which begins with what it holds already, takes all of it.
//
//   const PublishedColumn ages = {INT4RANGEOID, values, nulls, count, value_of_row};
//   const auto& classes = classes_of_population(spec, {&ages, rows}, memory);

#include "model/models.hpp"
#include "risk/population_classes.hpp"

#include "pg/read/relation_reader.hpp"
#include "pg/spec/spec.hpp"

namespace anonkit::pg {

/// A column of published cells. Plain data.
struct PublishedColumn {
  Oid type;
  const Datum* values;  ///< cells, not necessarily distinct
  const bool* nulls;
  int32 count;                ///< of the cells
  const int32* value_of_row;  ///< by published row: its cell
};

/// The quasi-identifiers of the published rows, in the order of Spec::qi.
struct PublishedRows {
  const PublishedColumn* columns;
  int64 rows;
};

/// The classes of the rows and of the spec's population, in the current memory context. A column
/// without a hierarchy publishes a value or suppresses it. An error (datatype_mismatch) if ranges
/// are published of a column that has another type in the population.
PopulationClasses& classes_of_population(const Spec& spec, const PublishedRows& published,
                                         MemoryCount& memory);

/// Such classes of a relation whose columns of Spec::qi are the sensitive attributes of `data`.
PopulationClasses& classes_of_population(const Spec& spec, const RelationData& data,
                                         MemoryCount& memory);

/// Reads columns as such attributes; `categories` are those of codes, whose values are texts.
RelationData read_cells(Oid relation, const Names& columns, const Names& categories,
                        MemoryCount& memory);

/// The models that compare a relation with its population, by the names that audits print.
struct PopulationModel {
  const char* name;
  PresenceModel model;
};
constexpr PopulationModel kPopulationModels[] = {
    {"k-map", PresenceModel::k_map},
    {"delta-presence: least", PresenceModel::least},
    {"delta-presence: largest", PresenceModel::largest},
};

/// Raises check_violation if the classes break a promise against the population. The subject is as
/// in require_level.
void require_presence(const char* subject, const AskedLevels& promised,
                      const PopulationClasses& classes);

/// True if a model is measured against a population.
bool needs_population(const Model& model);

}  // namespace anonkit::pg
