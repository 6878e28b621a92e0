#pragma once

#include "base/options.hpp"
#include "method/method.hpp"

#include "pg/spec/hierarchy_rule.hpp"

namespace anonkit::pg {

/// Which hierarchy a column has.
struct HierarchyChoice {
  char* column;
  HierarchyRule* hierarchy;
};
struct HierarchyChoices {
  HierarchyChoice* list;
  int count;
};

/// Which values of a sensitive column, or labels of its hierarchy, are protected.
struct ProtectedChoice {
  char* column;
  Names labels;
};
struct ProtectedChoices {
  ProtectedChoice* list;
  int count;
};

/// The level of a model that an audit is to count the classes short of.
struct AskedLevel {
  char* model;
  double level;
};
struct AskedLevels {
  AskedLevel* list;
  int count;
};

/// What a release over time is asked for beside its method; see over_time/. Plain data.
struct OverTime {
  Names key;             ///< the columns by which a record is known again; none: no such release
  int32 max_wait = 14;   ///< refreshes after which a newcomer's class may lose what it will
  double wait_loss = 3;  ///< times the first version's loss that a newcomers' class may lose
  bool weight = true;    ///< publish the living share of a class
  bool told = false;     ///< one of the three was given
};

/// Everything that a user may ask of a release. It has one written form, a flat jsonb object with
/// the SQL functions' argument names as keys, which is stored in the query of the materialized
/// view. Plain data.
struct Spec {
  const Method* method;
  Names qi;
  Names sensitive;
  Names keep;
  Names unit;  ///< the columns that say whose a row is; none: each is somebody else's
  HierarchyChoices hierarchies;
  ProtectedChoices protected_values;
  AskedLevels asked;   ///< of an audit
  double* weights;     ///< one per quasi-identifier, or null: all 1
  const char* target;  ///< the column of class labels, or null
  /// Sensitive columns enter the core as ranks, whether or not a model is promised of them.
  bool rank_all_sensitive;
  OverTime over_time;
  Options options;
};

/// The spec that the arguments of an SQL function describe: each argument under its declared name,
/// but for relations and nulls. No method (null) for an audit.
Jsonb* spec_of_arguments(FunctionCallInfo fcinfo, const char* method);

/// The spec of a release: the arguments of anon_publish or anon_evaluate, with the object `params`
/// flattened into it. A parameter that the method's own SQL function does not declare is an error.
Jsonb* spec_of_release(FunctionCallInfo fcinfo);

/// Reads a spec, checking every value for type and domain.
Spec read_spec(Jsonb* json);

/// The same for an audit, which has no method and need not promise anything.
Spec read_audit_spec(Jsonb* json);

/// The same for what sensitive columns allow: p, and no quasi-identifiers.
Spec read_capacity_spec(Jsonb* json);

/// The place of the argument that an SQL function declares by that name.
int argument_place(FunctionCallInfo fcinfo, const char* name);

}  // namespace anonkit::pg
