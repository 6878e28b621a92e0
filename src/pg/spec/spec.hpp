#pragma once

// The arguments of a release, an evaluation or an audit, in one struct and one written form.
//
// Phases: spec_of_release() or spec_of_audit() turns SQL arguments into a flat jsonb object;
// read_spec() checks every value and fills a Spec. Invariants: the keys are the argument names of
// the SQL functions; the query of a release stores the object. Memory: plain data in the current
// memory context.
//
//   Jsonb* json = spec_of_release(fcinfo);  // the arguments of anon_publish
//   const Spec spec = read_spec(json);      // or an error that names the key
//   const Promises& promises = spec.options.promises;

#include "base/options.hpp"
#include "method/method.hpp"
#include "model/models.hpp"

#include "pg/spec/hierarchy_rule.hpp"

namespace anonkit::pg {

/// The hierarchy of a column.
struct HierarchyChoice {
  char* column;
  HierarchyRule* hierarchy;
};
struct HierarchyChoices {
  HierarchyChoice* list;
  int count;
};

/// The protected values of a sensitive column, or labels of its hierarchy.
struct ProtectedChoice {
  char* column;
  Names labels;
};
struct ProtectedChoices {
  ProtectedChoice* list;
  int count;
};

/// The multiple to which a kept number is rounded, and its smallest and largest published value;
/// null for each that was not given.
struct Coarsening {
  Numeric round;
  Numeric bottom;
  Numeric top;
};
struct CoarseningChoice {
  char* column;
  Coarsening coarsening;
};
struct CoarseningChoices {
  CoarseningChoice* list;
  int count;
};

/// The text that stands for a suppressed cell of a quasi-identifier, beside null.
struct SuppressedText {
  char* column;
  char* text;
};
/// The suppressed cells of another tool's relation. Plain data.
struct SuppressedCells {
  SuppressedText* list;
  int count;
  bool named;  ///< false: no cell is known to be suppressed, and null is a value
};

/// The width of the finest ranges of a column.
struct WidthChoice {
  char* column;
  double width;
};
struct WidthChoices {
  WidthChoice* list;
  int count;
};

/// The spread of a column in a larger table; 0: not known.
struct Spread {
  double deviation;  ///< of numbers
  double extent;
  double categories;  ///< distinct ones, null among them
};
struct ScaleChoice {
  char* column;
  Spread spread;
};
struct ScaleChoices {
  ScaleChoice* list;
  int count;
};

/// The values of a column in their order.
struct ValueOrder {
  char* column;
  Names values;
};
struct ValueOrders {
  ValueOrder* list;
  int count;
};

constexpr int kAnyAttribute = -1;

/// A level of a model that a release promises, or that an audit is asked about: it counts the
/// classes that fall short of it. Plain data.
struct AskedLevel {
  const Model* model;
  double level;
  int attribute = kAnyAttribute;    ///< the sensitive column; kAnyAttribute: each of them
  const char* adjective = nullptr;  ///< of a release that keeps it, with %g for the level
  const char* name = nullptr;       ///< of the promise, where it is not the model's

  const char* promise() const { return name != nullptr ? name : model->name; }
};
struct AskedLevels {
  AskedLevel* list;
  int count;
};

/// Options of a release over time, beside its method; see over_time/. Plain data.
struct OverTime {
  Names key;             ///< columns that identify a record over time; empty: a single release
  int32 max_wait = 14;   ///< refreshes after which a newcomer's class may lose any amount
  double wait_loss = 5;  ///< limit of a newcomers' class, in multiples of the first version's loss
  int32 every = 1;       ///< classes are founded at every such refresh
  bool weight = true;    ///< publish the living share of a class
  bool told = false;     ///< the user gave one of the four
};

/// All options of a release. The written form is a flat jsonb object with the SQL functions'
/// argument names as keys. Plain data.
struct Spec {
  const Method* method;
  Names qi;
  Names sensitive;
  Names keep;
  Names unit;          ///< columns of the person; empty: each row is a person of its own
  Names categories;    ///< columns whose values have neither order nor distance
  Names ordered;       ///< columns of labels, such as "10-20", that are ordered by their numbers
  ValueOrders orders;  ///< columns whose values are ordered by a list
  CoarseningChoices coarsenings;  ///< of kept numbers
  Names pseudonym;                ///< kept columns published as pseudonyms
  HierarchyChoices hierarchies;
  Oid population;            ///< the relation that the table is a part of, or InvalidOid
  Oid population_named_by;   ///< the owner of the release whose options name it, or InvalidOid
  Names population_columns;  ///< the quasi-identifiers by their names there
  ProtectedChoices protected_values;
  WidthChoices widths;         ///< of numbers, for cuts and ends on a grid
  ScaleChoices scales;         ///< of numbers, in the table that the rows are a part of
  AskedLevels asked;           ///< of an audit
  SuppressedCells suppressed;  ///< of an audit
  bool wildcards;      ///< of an audit: also k of rows by what their nulls are compatible with
  double* weights;     ///< one per quasi-identifier, or null: all 1
  const char* target;  ///< the column of class labels, or null
  const char* class_column;  ///< of a release by swapping: random numbers of its classes; or null
  /// True if sensitive columns enter the core as ranks even without a promised model.
  bool rank_all_sensitive;
  bool outward;            ///< ranges end on the grid of widths
  bool decoys_told;        ///< decoys was given
  bool transparency_told;  ///< adapt or max_withheld was given
  bool secret_seed;        ///< the seed is drawn, and kept for the owner of a release
  bool secret_seed_told;   ///< secret_seed was given
  bool withheld;           ///< of an audit: classes without any sensitive value withhold theirs
  /// An audit compares distributions with those of the rows that have the same value of this
  /// quasi-identifier; null: with those of all rows.
  const char* part;
  OverTime over_time;
  Options options;
};

/// The spec of a call of a method's own function, which names the method, or of one that takes a
/// method: each option under its name, from arguments, `params` and `spec`. An error if they
/// contradict each other, or the method does not have an option. An argument at its default says
/// nothing.
Jsonb* spec_of_release(FunctionCallInfo fcinfo, const char* method = nullptr);

/// The options of a release with the promises that it makes unless they say otherwise: with a unit
/// and means, a dominance of 0.5. They stand in its spec, so that an older release keeps its own.
Jsonb* with_usual_promises(Jsonb* options);

/// The spec of an audit's call, without the options of `spec` that concern only the making of a
/// release.
Jsonb* spec_of_audit(FunctionCallInfo fcinfo);

/// The options with those that `asked` names beside models, such as k, as options of their own.
Jsonb* with_asked_options(Jsonb* options);

/// The spec of one evaluation in a sweep: the arguments of the call, what is `given` and `params`.
/// Options among `preferred` are those of a method that has them, unless the call gives others.
Jsonb* spec_of_evaluation(FunctionCallInfo fcinfo, Jsonb* given, Jsonb* params, Jsonb* preferred);

/// True for a release that may withhold sensitive values.
inline bool withholds_values(const Spec& spec) {
  return (spec.options.transparency.wanted || spec.over_time.key.count > 0) &&
         spec.options.promises.any();
}

/// Reads a spec and checks every value's type and domain.
Spec read_spec(Jsonb* json);

/// Checks the type and the domain of every value of a spec that may lack options.
void check_values(Jsonb* json);

/// Reads the spec of an audit, which has no method and need not promise anything.
Spec read_audit_spec(Jsonb* json);

/// Reads the spec of one of several tables that are published together. It has no method and no
/// promises of its own, publishes ranges and labels, and perhaps no quasi-identifiers.
Spec read_table_spec(Jsonb* json);

/// Reads the spec of anon_capacity: sensitive columns and p, without quasi-identifiers.
Spec read_capacity_spec(Jsonb* json);

/// The position of an SQL function's argument, by its declared name.
int argument_place(FunctionCallInfo fcinfo, const char* name);

}  // namespace anonkit::pg
