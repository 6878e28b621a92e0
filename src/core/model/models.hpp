#pragma once

// The registry of privacy models, by the names that audits use.
//
// A model is one function of the class histogram of one sensitive attribute, in a file of its own.
// A new model needs that file and one line in models.cpp. Invariants: names never change, and the
// order of models() is the order of reports. The registry is static and allocates no memory.
//
//   const Model* model = find_model("t-closeness");
//   const Level level = model->measure(histogram, ModelParameters{}, ticker);
//   const bool kept = model->keeps(0.2, level.level);

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/options.hpp"
#include "model/level.hpp"

namespace anonkit {

/// The attributes that a model applies to.
enum class AttributeNeed : std::uint8_t {
  none,  ///< class sizes alone
  any,
  any_with_l,  ///< any; l is a parameter
  numeric,
  any_with_units,  ///< any, with units
  any_with_q,      ///< any if q defines rare values
  any_with_n,      ///< any if n defines large supersets
  with_protected,  ///< those with protected values
  units,           ///< none, but units
  elsewhere  ///< none: the model is not of one relation and its classes; other code measures it
};

/// The comparison by which a level found satisfies a promised level.
enum class Comparison : std::uint8_t {
  at_least,   ///< larger levels protect more: found >= promised
  at_most,    ///< smaller levels protect more: found <= promised
  less_than,  ///< smaller levels protect more: found < promised
};

/// The levels that can be required of a model.
enum class LevelDomain : std::uint8_t {
  count,         ///< of records, persons or values: at least 1
  share,         ///< from 0 to 1
  not_negative,  ///< at least 0
};

/// The comparison in words, such as "at least".
const char* words_of(Comparison comparison);

/// Additional parameters of models.
struct ModelParameters {
  std::int32_t l = 2;  ///< recursive (c,l)-diversity, whose level is c
  double q = 0;        ///< (k,p,q,r)-anonymity, with levels p and r; 0: not judged
  VarianceOf variance_of = VarianceOf::rare;    ///< the variance that r is a share of
  std::int32_t n = 0;                           ///< (n,t)-closeness; 0: not judged
  double risk_threshold = kUsualRiskThreshold;  ///< records at risk: those above it
  /// (n,t)-closeness: the natural supersets, see n_t_closeness. Null: only the relation itself.
  const std::vector<std::vector<std::int32_t>>* supersets = nullptr;
};

struct Model {
  const char* name;
  AttributeNeed needs;
  Comparison comparison;
  LevelDomain domain;
  /// Null for a model of several relations.
  Level (*measure)(const ClassHistogram&, const ModelParameters&, Ticker&);
  /// The share of a level that rounding may take from it.
  double tolerance = 0;

  bool keeps(double promised, double found) const;
  /// True if the model judges classes without a sensitive attribute.
  bool is_about_classes(bool has_units) const {
    return needs == AttributeNeed::none || (needs == AttributeNeed::units && has_units);
  }
  /// True if the model applies to an attribute like this one; false for models of classes alone.
  bool is_about(const ClassHistogram& attribute, const ModelParameters& parameters) const;
};

/// All models, in the order in which an audit reports them.
struct Models {
  const Model* first;
  const Model* last;
  const Model* begin() const { return first; }
  const Model* end() const { return last; }
};
Models models();

/// The model of that name, or null. O(models).
const Model* find_model(std::string_view name);

}  // namespace anonkit
