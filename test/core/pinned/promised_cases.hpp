#pragma once

// Every promise of the table of promises, of a degree that the generated tables can keep.

#include <string>
#include <vector>

#include "pinned/pinned_table.hpp"
#include "promise/promise.hpp"

namespace anonkit {

/// The sensitive columns of a case.
using Sensitive = Table (PinnedTable::*)() const;

struct PromisedCase {
  std::string name;
  void (*set)(Promises&);
  Sensitive table = &PinnedTable::with_illness;
  bool of_units = false;
};

inline std::vector<PromisedCase> promised_cases() {
  return {
      {"k", [](Promises&) {}, &PinnedTable::plain},
      {"p", [](Promises& p) { p.p = 3; }},
      {"extended p", [](Promises& p) { p.p = 2; }, &PinnedTable::with_lifted_illness},
      {"l", [](Promises& p) { p.l = 3; }, &PinnedTable::with_both},
      {"entropy l", [](Promises& p) { p.entropy_l = 2.2; }},
      {"c and l",
       [](Promises& p) {
         p.c = 2;
         p.l = 2;
       }},
      {"alpha", [](Promises& p) { p.alpha = 0.5; }},
      {"e", [](Promises& p) { p.e = 900; }, &PinnedTable::with_pay},
      {"kpqr",
       [](Promises& p) {
         p.p = 2;
         p.q = 0.06;
         p.r = 0.05;
       },
       &PinnedTable::with_pay},
      {"kpqr of all",
       [](Promises& p) {
         p.p = 3;
         p.q = 0.1;
         p.r = 0.2;
         p.variance_of = VarianceOf::all;
       },
       &PinnedTable::with_pay},
      {"beta", [](Promises& p) { p.beta = 1.5; }},
      {"delta", [](Promises& p) { p.delta = 1.8; }},
      {"t, nominal", [](Promises& p) { p.t = 0.35; }},
      {"t, ordered", [](Promises& p) { p.t = 0.15; }, &PinnedTable::with_pay},
      {"t, hierarchy", [](Promises& p) { p.t = 0.25; }, &PinnedTable::with_illness_tree},
      {"t of two", [](Promises& p) { p.t = 0.3; }, &PinnedTable::with_both},
      {"n and t",
       [](Promises& p) {
         p.n = 40;
         p.t = 0.3;
       }},
      {"t and l",
       [](Promises& p) {
         p.t = 0.3;
         p.l = 2;
       }},
      {"dominance", [](Promises& p) { p.dominance = 0.4; }, &PinnedTable::plain, true},
      {"mean risk", [](Promises& p) { p.risk_mean = 0.15; }, &PinnedTable::plain},
      {"records at risk",
       [](Promises& p) {
         p.risk_above = 0.3;
         p.risk_threshold = 0.2;
       },
       &PinnedTable::plain},
      {"k-map", [](Promises& p) { p.k_map = 12; }, &PinnedTable::plain},
      {"presence",
       [](Promises& p) {
         p.presence_least = 0.05;
         p.presence_largest = 0.8;
       },
       &PinnedTable::plain},
  };
}

/// True if the method can keep the promises of the case.
inline bool can_keep(const Method& method, const PromisedCase& promised, const Promises& needed) {
  Promises promises = needed;
  promised.set(promises);
  const unsigned kinds = kinds_of(promises) | (promised.of_units ? kPromisePersons : kPromiseNone);
  return (kinds & ~method.keeps) == 0;
}

}  // namespace anonkit
