#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/options.hpp"
#include "model/level.hpp"

namespace anonkit {

/// The privacy models by the names that audits use. A model is one function over the class
/// histogram of one sensitive attribute, in a file of its own; adding one means that file and one
/// line here.

/// What kind of attribute a model looks at: none (the class sizes alone), any, a numeric one, any
/// one if q tells which values are rare or n which supersets are large, one with protected values,
/// or none, but units.
enum class AttributeNeed : std::uint8_t {
  none,
  any,
  numeric,
  any_with_q,
  any_with_n,
  with_protected,
  units
};

/// When a level found keeps a level promised.
enum class Promise : std::uint8_t {
  at_least,   ///< larger levels are stronger: found >= promised
  at_most,    ///< smaller levels are stronger: found <= promised
  less_than,  ///< smaller levels are stronger: found < promised
};

/// Parameters of models that have one beside their level.
struct ModelParameters {
  std::int32_t l = 2;  ///< of recursive (c,l)-diversity, whose level is c
  double q = 0;        ///< of (k,p,q,r)-anonymity, whose levels are p and r; 0: not asked for
  VarianceOf variance_of = VarianceOf::rare;  ///< what r is a share of
  std::int32_t n = 0;                         ///< of (n,t)-closeness; 0: not asked for
  /// Its natural supersets; see n_t_closeness. Null: none but the whole relation.
  const std::vector<std::vector<std::int32_t>>* supersets = nullptr;
};

struct Model {
  const char* name;
  AttributeNeed needs;
  Promise promise;
  Level (*measure)(const ClassHistogram&, const ModelParameters&, Ticker&);

  bool keeps(double promised, double found) const;
  /// True if the model is about classes as such.
  bool is_about_classes(bool has_units) const {
    return needs == AttributeNeed::none || (needs == AttributeNeed::units && has_units);
  }
  /// True if the model is about an attribute like this one; not for a model of classes alone.
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

/// The model of that name, or null.
const Model* find_model(std::string_view name);

}  // namespace anonkit
