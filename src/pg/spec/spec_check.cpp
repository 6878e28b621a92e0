#include "pg/spec/spec_check.hpp"

#include <cstring>

#include "method/blocks/blocks.hpp"
#include "method/mondrian/grid_method.hpp"
#include "method/natural_supersets.hpp"
#include "promise/promise.hpp"
#include "recode/recoding.hpp"

#include "pg/spec/needs.hpp"
#include "pg/spec/promised_levels.hpp"

namespace anonkit::pg {
namespace {

/// The name of the first promise of these kinds.
const char* name_of(const Promises& promises, unsigned kinds) {
  return find_made(promises, [&](const Promise& promise) { return (promise.kind & kinds) != 0; })
      ->name;
}

/// Promises that exclude a key. The risk of a version changes with the classes that retire.
constexpr unsigned kNotOverTime = kPromiseNt | kPromiseLikeness | kPromiseRisk | kPromisePopulation;

/// The first keys of the models that match, as a list in words.
template <class Matches>
char* keys_of(const Matches& matches) {
  StringInfoData list;
  initStringInfo(&list);
  const char* last = nullptr;
  for (const Promise* promise : kPromiseTable) {
    if (!matches(*promise)) continue;
    if (last != nullptr) appendStringInfo(&list, "%s%s", list.len > 0 ? ", " : "", last);
    last = promise->parameters[0].key;
  }
  if (last != nullptr) appendStringInfo(&list, "%s%s", list.len > 0 ? " and " : "", last);
  return list.data;
}

}  // namespace

void check_promises(const Spec& spec) {
  const Promises& promises = spec.options.promises;
  if (promises.any() && spec.sensitive.count == 0)
    refuse_without(name_of(promises, kPromiseAll), kNeedsSensitive);
  if (const Promise* of_persons = find_made(promises, rows_of_persons);
      of_persons != nullptr && spec.unit.count == 0)
    refuse_without(of_persons->name, kNeedsUnit);
  if (const Promise* of_population = find_made(promises, rows_of_population);
      of_population != nullptr && !OidIsValid(spec.population))
    refuse_without(of_population->name, kNeedsPopulation);
  if (promises.t > 0 && promises.t_each != nullptr)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("t and t_each cannot be given together"),
                    errhint("t_each holds one t for each sensitive column.")));
  check_parameters(promises);
}

void check_population(const Spec& spec) {
  if (OidIsValid(spec.population) && !spec.options.promises.of_population())
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("population needs k_map or delta_presence"),
                    errhint("anon_audit measures both without a promise.")));
}

void check_unit(const Spec& spec) {
  if (spec.options.unit_rows_together && spec.unit.count == 0)
    refuse_without("unit_rows 'together'", kNeedsUnit);
}

void check_supersets(const Spec& spec) {
  if (spec.options.promises.n > 0 && !spec.options.promises.t_close())
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("(n,t)-closeness needs t beside n")));
}

void check_threshold(const Spec& spec) {
  const Promises& promises = spec.options.promises;
  if (promises.risk_threshold > 0 && !(promises.risk_above > 0))
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("risk_threshold needs risk_above"),
             errhint("Give the share of records whose risk may be above the threshold.")));
}

void check_protected(const Spec& spec) {
  if (spec.protected_values.count == 0) return;
  const Promises& promises = spec.options.promises;
  if (promises.kpqr())
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("(k,p,q,r)-anonymity cannot be combined with protected values")));
  if (promises.p == 0)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("extended p-sensitivity needs p"),
             errhint("Give p beside the protected values.")));
  if (is_of_aggregates(spec))
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
             errmsg("method \"%s\" cannot promise extended p-sensitivity", spec.method->name)));
}

namespace {

/// An error, by name, for options that cannot count persons.
void check_persons(const Spec& spec) {
  if (spec.unit.count == 0) return;
  const Promises& promises = spec.options.promises;
  if ((spec.method->keeps & kPromisePersons) == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("method \"%s\" cannot be combined with a unit", spec.method->name),
                    errdetail("Its classes are of k rows, not of k persons."),
                    errhint("Methods 'microaggregate' and 'mondrian' count persons.")));
  if (const Promise* of_rows =
          find_made(promises, [](const Promise& promise) { return !promise.of_persons; }))
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s cannot be promised with a unit", of_rows->name),
                    errhint("%s", rows_of_population(*of_rows) ? "Leave it out, or the unit."
                                                               : "anon_audit measures it.")));
  const Promise* of_release = find_made(promises, rows_of_release);
  if (spec.options.unit_rows_together && of_release != nullptr)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("%s cannot be promised with unit_rows 'together'", of_release->name),
                    errhint("anon_audit measures it.")));
  if (spec.options.unit_rows_together && (spec.method->keeps & kPromiseHistories) == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("method \"%s\" cannot keep histories together", spec.method->name),
                    errhint("Methods 'microaggregate', 'mondrian' and 'mdav' can.")));
}

/// The name of an option that excludes a key with any method, or null.
const char* option_of_one_version(const Spec& spec) {
  if (kinds_of(spec.options.promises) & kNotOverTime)
    return name_of(spec.options.promises, kNotOverTime);
  if (spec.options.unit_rows_together) return "k-anonymity of histories";
  if (spec.options.generalisation.max_suppression > 0) return "max_suppression";
  if (spec.coarsenings.count > 0) return "coarsen";
  if (spec.pseudonym.count > 0) return "pseudonym";
  if (spec.scales.count > 0) return "scales";
  return nullptr;
}

/// Names a method that excludes a key, or is null.
const char* method_of_one_version(const Spec& spec) {
  if (spec.method->of_aggregates) return "aggregate knowledge";
  if (cuts_by_grid(spec.options)) return "algorithm 'grid'";
  if (recoding(spec.method->recode).by_hierarchy) return "full-domain generalisation";
  return nullptr;
}

}  // namespace

void check_over_time(const Spec& spec) {
  if (spec.over_time.key.count == 0) {
    if (spec.over_time.told)
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("max_wait, wait_loss, every and weight need a key"),
                      errhint("Name the columns by which a record is known again in key, or "
                              "leave these out.")));
    return;
  }
  const char* option = option_of_one_version(spec);
  const char* other = option != nullptr ? option : method_of_one_version(spec);
  if (other != nullptr)
    ereport(
        ERROR,
        (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("%s cannot be combined with a key", other),
         errhint("%s", option != nullptr
                           ? "Leave it out, or the key."
                           : "Method 'microaggregate' or 'mondrian' can be refreshed safely.")));
  if (spec.options.k < 2)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("a release with a key needs k of at least 2")));
}

namespace {

/// An option that another one excludes, the reason and the way out, or null; or nothing.
struct Excluded {
  const char* what = nullptr;
  const char* why = nullptr;
  const char* hint = nullptr;
};

/// The error for two options of which one excludes the other.
[[noreturn]] void refuse_together(const char* option, const char* other, const Excluded& excluded) {
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
           errmsg("%s cannot be combined with %s", option, other), errdetail("%s", excluded.why),
           excluded.hint != nullptr ? errhint("%s", excluded.hint) : 0));
  pg_unreachable();
}

/// The promises whose classes may withhold values in place of keeping them.
constexpr unsigned kWithheld = kPromiseP | kPromiseDiverse;

/// The promises that a transparent release can make by this method, as their keys.
char* transparent_keys(const Spec& spec, bool exact) {
  const unsigned excluded = ~(spec.method->keeps | kWithheld) |
                            (spec.over_time.key.count > 0 ? kNotOverTime : kPromiseNone);
  return keys_of([&](const Promise& promise) {
    return promise.not_transparent == nullptr && (promise.kind & excluded) == 0 &&
           (promise.limits_are_exact || !exact);
  });
}

/// Such options of a release with a key; none without one.
Excluded not_transparent_over_time(const Spec& spec) {
  if (spec.over_time.key.count == 0) return {};
  const Transparency& asked = spec.options.transparency;
  if (asked.adapt > 0)
    return {"adapt with a key", "A larger k withholds less, and is proven to be transparent.",
            "Leave adapt out."};
  if (asked.max_withheld < 1)
    return {"max_withheld with a key",
            "Whether a version is refused for what it would withhold tells of values.",
            "Leave max_withheld out."};
  const double alpha = spec.options.promises.alpha;
  if (alpha > 0 && alpha * spec.options.k < 2)
    return {"an alpha below 2/k with a key",
            "Nearly all classes would break it: it allows one record of each value.",
            "Give a larger alpha, or a larger k."};
  return {};
}

/// An option that is not proven to be transparent, or is of no use.
Excluded not_transparent(const Spec& spec) {
  if (spec.unit.count > 0)
    return {"a unit of persons",
            "Whether a class keeps a promise to persons depends on who has which of its values.",
            "Leave the unit out, or transparent."};
  if (const Promise* promise = find_made(spec.options.promises, [](const Promise& promise) {
        return promise.not_transparent != nullptr;
      }))
    return {promise->name, promise->not_transparent,
            psprintf("%s can.", transparent_keys(spec, false))};
  if (const Excluded found = not_transparent_over_time(spec); found.what != nullptr) return found;
  if (spec.options.duplicates == Duplicates::divide)
    return {"duplicates 'divide'",
            "Records that are equal in all quasi-identifiers would be told apart by their values.",
            "Leave duplicates out."};
  if (spec.options.generalisation.max_suppression > 0)
    return {"max_suppression", "Which records are left out might tell something of their values.",
            "Leave max_suppression out."};
  return {};
}

void check_transparent(const Spec& spec) {
  if (!spec.options.transparency.wanted) {
    if (spec.transparency_told || (spec.decoys_told && spec.over_time.key.count == 0))
      ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                      errmsg("decoys, adapt and max_withheld need transparent"),
                      errhint("%s", can_be_transparent(spec) ? "Give transparent => true."
                                                             : "Leave them out.")));
    return;
  }
  const Excluded found = not_transparent(spec);
  if (found.what != nullptr) refuse_together(found.what, "transparent", found);
  const auto inexact = [](const Promise& promise) {
    return promise.not_transparent == nullptr && !promise.limits_are_exact;
  };
  if (spec.options.transparency.adapt > 0 && find_made(spec.options.promises, inexact) != nullptr)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("adapt cannot be combined with %s", keys_of(inexact)),
                    errdetail("How likely a class of a given size keeps them is not computed."),
                    errhint("%s can.", transparent_keys(spec, true))));
  if ((spec.method->keeps & kPromiseTransparent) == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("method \"%s\" cannot be transparent", spec.method->name),
                    errhint("Methods 'microaggregate', 'mdav', 'vmdav' and 'mondrian' can.")));
}

/// The promises that the method's classes must keep, as a sum of PromiseSet. Transparent classes
/// withhold values that break a promise.
unsigned promised_of_method(const Spec& spec) {
  const unsigned kinds = kinds_of(spec.options.promises);
  return spec.options.transparency.wanted ? kinds & ~kWithheld : kinds;
}

/// A way out for promises that the method does not keep.
const char* other_method(unsigned promised) {
  if ((promised & ~find_method("microaggregate")->keeps) == 0)
    return "Method 'microaggregate' can promise any of the models.";
  if ((promised & ~find_method("incognito")->keeps) == 0)
    return "Methods 'incognito', 'mingen', 'datafly' and 'topdown' generalise the population, too.";
  return "No method keeps all of these promises. Leave one out.";
}

}  // namespace

bool can_count_persons(const Spec& spec) {
  return (spec.method->keeps & kPromisePersons) != 0 && !spec.options.transparency.wanted &&
         !recoding(spec.options.recode).by_record && !cuts_by_grid(spec.options) &&
         find_made(spec.options.promises,
                   [](const Promise& promise) { return !promise.of_persons; }) == nullptr;
}

bool can_keep_histories(const Spec& spec) {
  return can_count_persons(spec) && (spec.method->keeps & kPromiseHistories) != 0 &&
         spec.over_time.key.count == 0 &&
         find_made(spec.options.promises, rows_of_release) == nullptr;
}

bool can_promise(const Spec& spec, unsigned kinds) {
  if (spec.options.transparency.wanted) return true;
  return (kinds & ~spec.method->keeps) == 0 && !recoding(spec.options.recode).by_record &&
         !cuts_by_grid(spec.options);
}

bool can_be_transparent(const Spec& spec) {
  return (spec.method->keeps & kPromiseTransparent) != 0 && not_transparent(spec).what == nullptr;
}

void check_method(const Spec& spec) {
  const Promises& promises = spec.options.promises;
  check_transparent(spec);
  check_persons(spec);
  const unsigned promised = promised_of_method(spec);
  const unsigned broken = promised & ~spec.method->keeps;
  if (broken != 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("method \"%s\" cannot promise %s", spec.method->name,
                           name_of(promises, broken)),
                    errhint("%s", other_method(promised))));
  check_supersets(spec);
  check_threshold(spec);
  if (promises.n > 0) check_beside_supersets(promises);
  check_blocks(*spec.method, spec.options);
  if (spec.method->check != nullptr) spec.method->check(spec.options);
}

void check_secret_seed(const Spec& spec) {
  if (!spec.secret_seed) return;
  if (spec.options.seed != 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("seed cannot be combined with a secret seed"),
                    errhint("%s", recoding(spec.options.recode).by_record
                                      ? "Leave seed out."
                                      : "Leave seed out; secret_seed => false makes it count.")));
  if (spec.over_time.key.count > 0)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("secret_seed cannot be combined with a key"),
                    errhint("Classes of a release with a key stay as they are.")));
}

namespace {

/// The promises that judges of swapped records cannot measure: those about published classes.
const Promise* not_swapped(const Promises& promises) {
  return find_made(promises, [](const Promise& promise) {
    return rows_of_persons(promise) || rows_of_release(promise) || rows_of_population(promise);
  });
}

/// An option that swapping excludes.
Excluded without_swapping(const Spec& spec) {
  if (spec.method->of_aggregates || recoding(spec.method->recode).by_hierarchy)
    return {psprintf("method \"%s\"", spec.method->name), "It makes cells of its own."};
  if (cuts_by_grid(spec.options)) return {"algorithm 'grid'", "It publishes boxes."};
  if (spec.unit.count > 0)
    return {"a unit", "Whoever knows that rows are of one person intersects their classes."};
  if (const Promise* promise = not_swapped(spec.options.promises); promise != nullptr)
    return {promise->name, "It is about classes that readers can count, and they see none."};
  if (spec.options.promises.any() && !spec.options.transparency.wanted)
    return {psprintf("%s unless it is transparent", name_of(spec.options.promises, kPromiseAll)),
            "Classes that depend on sensitive values would tell who has which."};
  if (spec.options.duplicates == Duplicates::divide)
    return {"duplicates 'divide'",
            "The division of equal records would depend on their other values."};
  if (spec.options.generalisation.max_suppression > 0)
    return {"max_suppression", "It removes the records that distort a mean, and here is none."};
  if (spec.pseudonym.count > 0)
    return {"pseudonym",
            "Nobody could verify such a release, which has other pseudonyms each time."};
  if (spec.secret_seed_told && !spec.secret_seed)
    return {"secret_seed => false", "Whoever knows the seed undoes the exchange."};
  return {};
}

}  // namespace

void check_swap(const Spec& spec) {
  const Recoding& how = recoding(spec.options.recode);
  if (!how.by_record && spec.class_column != nullptr)
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("class_column needs recode 'swap'"),
             errdetail("Readers of any other release form its classes by GROUP BY.")));
  if (!how.by_record) return;
  const Excluded other = without_swapping(spec);
  if (other.what != nullptr) refuse_together(psprintf("recode '%s'", how.name), other.what, other);
  if (spec.options.k < 2)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("recode '%s' needs k of at least 2", how.name),
                    errdetail("A record alone has nobody to exchange values with.")));
}

void refuse_swap(const Spec& spec, const char* what) {
  const Recoding& how = recoding(spec.options.recode);
  if (!how.by_record) return;
  ereport(
      ERROR,
      (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("%s cannot show recode '%s'", what, how.name),
       errdetail("Its rows are not those of persons, and only a release keeps the secret "
                 "that verifies them."),
       errhint("anon_publish makes such a release.")));
}

namespace {

/// An option whose cells are no ranges that could move.
Excluded without_ranges(const Spec& spec) {
  static constexpr char kMoves[] = "It moves the ends of the ranges of classes.";
  if (cuts_by_grid(spec.options))
    return {"algorithm 'grid'", kMoves, "Leave outward out: the boxes end on the grid."};
  const Recoding& how = recoding(spec.options.recode);
  if (spec.method->of_aggregates || recoding(spec.method->recode).by_hierarchy)
    return {psprintf("method \"%s\"", spec.method->name), kMoves,
            "Method 'mondrian' publishes ranges, and others do with recode => 'range'."};
  if (!how.keeps_type) return {};
  return {psprintf("recode '%s'", how.name), kMoves, "recode => 'range' publishes ranges."};
}

}  // namespace

void check_outward(const Spec& spec) {
  if (!spec.outward) {
    if (spec.widths.count > 0 && !cuts_by_grid(spec.options))
      ereport(ERROR,
              (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
               errmsg("widths need outward 'grid', or algorithm 'grid' of method \"mondrian\"")));
    return;
  }
  if (spec.over_time.key.count > 0)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("outward 'grid' cannot be combined with a key"),
                    errdetail("A class of a later version may get the ranges of an earlier one.")));
  if (const Excluded other = without_ranges(spec); other.what != nullptr)
    refuse_together("outward 'grid'", other.what, other);
  if (spec.widths.count == 0)
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("outward 'grid' needs widths"),
                    errhint("Give the width of each column of numbers in widths.")));
}

bool is_quasi_identifier(const Spec& spec, int j, const char* name) {
  if (pg_strcasecmp(spec.qi.names[j], name) != 0) return false;
  for (const Names& names : {spec.qi, spec.sensitive})
    for (int i = 0; i < names.count; ++i)
      if (std::strcmp(names.names[i], name) == 0) return std::strcmp(spec.qi.names[j], name) == 0;
  return true;
}

bool masks_by_hierarchy(const Spec& spec) {
  for (int i = 0; i < spec.hierarchies.count; ++i)
    for (int j = 0; j < spec.qi.count; ++j)
      if (is_quasi_identifier(spec, j, spec.hierarchies.list[i].column)) return true;
  return false;
}

void check_recode(const Spec& spec) {
  const Recoding& how = recoding(spec.options.recode);
  if (how.without_versions != nullptr && spec.over_time.key.count > 0)
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("recode '%s' cannot be combined with a key", how.name),
                    errdetail("%s", how.without_versions)));
  if (!how.keeps_type || !masks_by_hierarchy(spec)) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("recode '%s' does not use the hierarchies of quasi-identifiers", how.name),
                  errhint("Leave recode out to publish labels, or leave their hierarchies out.")));
}

}  // namespace anonkit::pg
