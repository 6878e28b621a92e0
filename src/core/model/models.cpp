#include "model/models.hpp"

#include <iterator>

#include "model/alpha_k_anonymity.hpp"
#include "model/beta_likeness.hpp"
#include "model/delta_disclosure.hpp"
#include "model/distinct_l_diversity.hpp"
#include "model/dominance.hpp"
#include "model/entropy_l_diversity.hpp"
#include "model/extended_p_sensitivity.hpp"
#include "model/history_k_anonymity.hpp"
#include "model/joint_values.hpp"
#include "model/k_anonymity.hpp"
#include "model/k_e_anonymity.hpp"
#include "model/kpqr_anonymity.hpp"
#include "model/n_t_closeness.hpp"
#include "model/p_sensitivity.hpp"
#include "model/recursive_cl_diversity.hpp"
#include "model/t_closeness.hpp"

namespace anonkit {
namespace {

template <Level (*function)(const ClassHistogram&, Ticker&)>
Level plain(const ClassHistogram& histogram, const ModelParameters&, Ticker& ticker) {
  return function(histogram, ticker);
}

Level recursive(const ClassHistogram& histogram, const ModelParameters& parameters,
                Ticker& ticker) {
  return recursive_cl_diversity(histogram, parameters.l, ticker);
}

Level kpqr_p(const ClassHistogram& histogram, const ModelParameters& parameters, Ticker& ticker) {
  return kpqr_anonymity(histogram, parameters.q, parameters.variance_of, ticker).p;
}

Level kpqr_r(const ClassHistogram& histogram, const ModelParameters& parameters, Ticker& ticker) {
  return kpqr_anonymity(histogram, parameters.q, parameters.variance_of, ticker).r;
}

Level n_t(const ClassHistogram& histogram, const ModelParameters& parameters, Ticker& ticker) {
  const std::vector<std::vector<std::int32_t>> none;
  return n_t_closeness(histogram, parameters.supersets != nullptr ? *parameters.supersets : none,
                       parameters.n, ticker);
}

constexpr Model kModels[] = {
    {"k-anonymity", AttributeNeed::none, Promise::at_least, plain<k_anonymity>},
    {"k-anonymity of histories", AttributeNeed::units, Promise::at_least,
     plain<history_k_anonymity>},
    {"dominance", AttributeNeed::units, Promise::at_most, plain<dominance>},
    {"p-sensitivity", AttributeNeed::any, Promise::at_least, plain<p_sensitivity>},
    {"extended p-sensitivity", AttributeNeed::with_protected, Promise::at_least,
     plain<extended_p_sensitivity>},
    {"distinct l-diversity", AttributeNeed::any, Promise::at_least, plain<distinct_l_diversity>},
    {"entropy l-diversity", AttributeNeed::any, Promise::at_least, plain<entropy_l_diversity>},
    {"recursive (c,l)-diversity", AttributeNeed::any, Promise::less_than, recursive},
    {"(alpha,k)-anonymity", AttributeNeed::any, Promise::at_most, plain<alpha_k_anonymity>},
    {"(k,e)-anonymity", AttributeNeed::numeric, Promise::at_least, plain<k_e_anonymity>},
    {"t-closeness", AttributeNeed::any, Promise::at_most, plain<t_closeness>},
    {"joint values: fewest", AttributeNeed::any_with_units, Promise::at_least, plain<joint_values>},
    {"joint values: single", AttributeNeed::any_with_units, Promise::at_most,
     plain<single_joint_values>},
    {"basic beta-likeness", AttributeNeed::any, Promise::at_most, plain<basic_beta_likeness>},
    {"enhanced beta-likeness", AttributeNeed::any, Promise::at_most, plain<enhanced_beta_likeness>},
    {"delta-disclosure", AttributeNeed::any, Promise::less_than, plain<delta_disclosure>},
    {"(n,t)-closeness", AttributeNeed::any_with_n, Promise::at_most, n_t},
    {"(k,p,q,r)-anonymity: p", AttributeNeed::any_with_q, Promise::at_least, kpqr_p},
    {"(k,p,q,r)-anonymity: r", AttributeNeed::any_with_q, Promise::at_least, kpqr_r},
    {"k-map", AttributeNeed::another_relation, Promise::at_least, nullptr},
    {"delta-presence: least", AttributeNeed::another_relation, Promise::at_least, nullptr},
    {"delta-presence: largest", AttributeNeed::another_relation, Promise::at_most, nullptr},
    {"m-invariance", AttributeNeed::another_relation, Promise::at_least, nullptr},
};

}  // namespace

bool Model::keeps(double promised, double found) const {
  switch (promise) {
    case Promise::at_least:
      return found >= promised;
    case Promise::at_most:
      return found <= promised;
    case Promise::less_than:
      return found < promised;
  }
  return false;
}

bool Model::is_about(const ClassHistogram& attribute, const ModelParameters& parameters) const {
  switch (needs) {
    case AttributeNeed::none:
    case AttributeNeed::units:
    case AttributeNeed::another_relation:
      return false;
    case AttributeNeed::any:
      return true;
    case AttributeNeed::numeric:
      return attribute.scale() == AttributeScale::numeric;
    case AttributeNeed::any_with_units:
      return attribute.has_units();
    case AttributeNeed::any_with_q:
      return parameters.q > 0;
    case AttributeNeed::any_with_n:
      return parameters.n > 0;
    case AttributeNeed::with_protected:
      return !attribute.is_protected().empty();
  }
  return false;
}

Models models() {
  return {std::begin(kModels), std::end(kModels)};
}

const char* words_of(Promise promise) {
  switch (promise) {
    case Promise::at_least:
      return "at least";
    case Promise::at_most:
      return "at most";
    case Promise::less_than:
      return "less than";
  }
  return "";
}

const Model* find_model(std::string_view name) {
  for (const Model& model : models()) {
    if (name == model.name) return &model;
  }
  return nullptr;
}

}  // namespace anonkit
