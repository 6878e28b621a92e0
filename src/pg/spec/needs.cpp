#include "pg/spec/needs.hpp"

#include "promise/promise.hpp"

namespace anonkit::pg {
namespace {

constexpr Need kNeedsProtected = {
    "protected values",
    "Give a sensitive column a hierarchy in hierarchies, and name values or labels in protected."};
constexpr Need kNeedsQ = {"q", "Give the share below which a sensitive value is rare in q.", true};
constexpr Need kNeedsN = {"n", "Give the least number of records to compare a class with in n.",
                          true};
constexpr Need kNeedsWildcards = {"wildcards", "Give wildcards => true."};

const Need* unless(bool given, const Need& need) {
  return given ? nullptr : &need;
}

/// The option that a model needs beside a sensitive column, or null.
const Need* lacking_beside_values(const Model& model, const Spec& spec) {
  const Promises& promises = spec.options.promises;
  switch (model.needs) {
    case AttributeNeed::any_with_units:
      return unless(spec.unit.count > 0, kNeedsUnit);
    case AttributeNeed::any_with_q:
      return unless(promises.q > 0, kNeedsQ);
    case AttributeNeed::any_with_n:
      return unless(promises.n > 0, kNeedsN);
    case AttributeNeed::with_protected:
      return unless(spec.protected_values.count > 0, kNeedsProtected);
    default:
      return nullptr;
  }
}

}  // namespace

void require_one_relation(const Model& model) {
  if (&model == find_model("m-invariance"))
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("%s of one relation cannot be measured", model.name),
                    errhint("anon_audit_versions measures it.")));
}

const Need* lacking(const Model& model, const Spec& spec) {
  switch (model.needs) {
    case AttributeNeed::none:
      return nullptr;
    case AttributeNeed::units:
      return unless(spec.unit.count > 0, kNeedsUnit);
    case AttributeNeed::elsewhere:
      return &model == find_model(kWildcardModel)
                 ? unless(spec.wildcards, kNeedsWildcards)
                 : unless(OidIsValid(spec.population), kNeedsPopulation);
    default:
      return spec.sensitive.count == 0 ? &kNeedsSensitive : lacking_beside_values(model, spec);
  }
}

void refuse_without(const char* name, const Need& need) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s needs %s", name, need.what),
                  errhint("%s", need.hint)));
  pg_unreachable();
}

}  // namespace anonkit::pg
