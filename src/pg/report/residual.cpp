#include <cmath>
#include <cstring>

#include "method/mondrian/grid_method.hpp"
#include "recode/recoding.hpp"

#include "pg/backend/session.hpp"
#include "pg/report/figure_words.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

void add_risk(List*& risks, const char* words) {
  risks = lappend(risks, const_cast<char*>(words));
}

/// A figure of links as a page may show it.
const char* linked_text(const char* measure, const Subject& subject, const Findings& findings) {
  const Figure figure = {measure, nullptr, findings.linkage.find(measure), nullptr};
  return shown(figure, findings.linkage, findings.records(), subject.least_count()).text;
}

/// The limits of probabilistic k-anonymity.
void add_of_swap(List*& risks, const Subject& subject, const Findings& findings) {
  add_risk(
      risks,
      psprintf("The release has probabilistic %d-anonymity: the records of a private class of at "
               "least so many exchange their values. Readers cannot count these classes.",
               subject.k()));
  add_risk(
      risks,
      "Every published value is real. A value that one person alone has shows that this person is "
      "in the source: membership is not protected.");
  if (!std::isnan(findings.linkage.find("unique_exact_matches")))
    add_risk(risks,
             psprintf("Of %s persons whom nobody equals, %s equal exactly one published row. "
                      "That happens by chance, and such a row holds the other values of this "
                      "person with a chance of at most %s.",
                      linked_text("unique_records", subject, findings),
                      linked_text("unique_exact_matches", subject, findings),
                      share_text(1 / static_cast<double>(subject.k()))));
  add_risk(risks,
           "Quasi-identifiers are no secrets of such a release: an attacker who knows those of all "
           "others of a private class has the last ones by subtraction.");
}

void add_of_classes(List*& risks, const Subject& subject, const Findings& findings) {
  if (findings.risk.find("prosecutor_max") > subject.threshold)
    add_risk(risks, psprintf("An attacker who knows that a person is in the release, and knows the "
                             "quasi-identifiers, picks the right record with a chance of up to %s. "
                             "The threshold is %s.",
                             share_text(findings.risk.find("prosecutor_max")),
                             share_text(subject.threshold)));
  if (subject.swapped) {
    add_of_swap(risks, subject, findings);
    return;
  }
  if (subject.spec.unit.count == 0)
    add_risk(risks,
             "k counts records. If a person has several, fewer persons than k may share a class.");
  const char* of_cells =
      subject.spec.outward ? nullptr : recoding(subject.spec.options.recode).remaining_risk;
  if (subject.published && of_cells != nullptr) add_risk(risks, of_cells);
}

void add_of_values(List*& risks, const Subject& subject, const Findings& findings) {
  const Names sensitive = subject.names({Role::sensitive});
  for (int a = 0; a < sensitive.count; ++a) {
    const char* name = sensitive.names[a];
    bool promised = false;
    for (int i = 0; i < findings.model_count; ++i)
      promised = promised || (findings.models[i].attribute != nullptr &&
                              std::strcmp(findings.models[i].attribute, name) == 0 &&
                              !std::isnan(findings.models[i].promised));
    if (!promised)
      add_risk(risks, psprintf("Nothing was promised about the values of \"%s\": a class may "
                               "give them away.",
                               name));
    if (findings.risk.find("homogeneous_classes", name) > 0)
      add_risk(risks, psprintf("There are classes whose records all have one value of \"%s\": "
                               "an attacker who finds a person's class knows it for certain.",
                               name));
    const double gain = std::fmax(findings.inference.find("class_advantage", name),
                                  findings.inference.find("bayes_advantage", name));
    if (gain > 0)
      add_risk(risks,
               psprintf("Guessing \"%s\" from the release gains %s of the largest possible gain "
                        "over the base rate. A part of it is the purpose of publication.",
                        name, share_text(gain)));
  }
}

void add_of_columns(List*& risks, const Subject& subject, const Findings& findings) {
  const Names as_they_are = subject.names({Role::sensitive, Role::keep});
  for (int i = 0; i < as_they_are.count; ++i) {
    const double alone = findings.risk.find("unique_values", as_they_are.names[i]);
    if (alone > 0)
      add_risk(risks,
               psprintf("\"%s\" is published as it is, and one record alone has each of %s "
                        "of its values: an attacker who knows such a value finds the record.",
                        as_they_are.names[i], folded_count_text(alone, subject.least_count())));
  }
  if (as_they_are.count > 0)
    add_risk(risks,
             psprintf("These columns are published as they are: %s. An attacker who knows "
                      "such a value of a person may find the record by it; no figure here counts "
                      "that.",
                      comma_list(as_they_are.names, as_they_are.count)));
  const Names known = subject.names({Role::quasi_identifier});
  add_risk(risks, psprintf("All figures hold for an attacker who knows these columns and no "
                           "others: %s.",
                           comma_list(known.names, known.count)));
}

/// Knowledge of quasi-identifiers: two adversaries, and the function that measures the stronger.
const char* known_of_quasi_identifiers(const Spec& spec) {
  if (cuts_by_grid(spec.options) && spec.secret_seed)
    return "Secret coins decided the classes. Even an attacker who knows the program and all of "
           "the source but one value can exclude no value of its range, unless it alone reaches "
           "the extent of its column.";
  if (recoding(spec.method->recode).by_hierarchy)
    return "Columns are generalised as a whole, which depends on few single values. An attacker "
           "who knows the program and all of the source but one value seldom computes this value. "
           "anon_replay_qi measures how often.";
  return "An attacker with this release alone learns little about quasi-identifiers from knowing "
         "the program. One who also knows all of the source but one value can often compute this "
         "value, since few other tables lead to this release. anon_replay_qi measures how often.";
}

/// Knowledge of sensitive values, if anything was promised about them.
const char* known_of_values(const Spec& spec) {
  if (!spec.options.promises.any()) return nullptr;
  if (spec.options.transparency.wanted)
    return "Classes are independent of who has which sensitive value. An attacker who knows the "
           "program learns no more about them than the frequencies in each class.";
  return "Promises on sensitive values are weaker against an attacker who knows the program and "
         "all values outside a class. anon_replay measures it; transparent releases exclude it.";
}

void add_of_code(List*& risks, const Subject& subject) {
  if (!subject.published || subject.of_aggregates()) return;
  if (subject.swapped) {
    add_risk(
        risks,
        "An attacker who knows the program and the private classes, but not the secret, learns no "
        "more about sensitive values than their frequencies in a class. Whoever has the secret has "
        "all links: it is in the companion of the release.");
    return;
  }
  add_risk(risks, known_of_quasi_identifiers(subject.spec));
  if (const char* of_values = known_of_values(subject.spec); of_values != nullptr)
    add_risk(risks, of_values);
}

void add_of_versions(List*& risks, const Subject& subject) {
  if (subject.over_time)
    add_risk(risks,
             "Promises hold for all versions of this release together, not for other releases of "
             "the same persons.");
  else
    add_risk(risks,
             "Another release of the same persons, or an earlier version of this one, can be "
             "intersected with it. Promises hold for this version alone.");
  if (subject.not_compared != nullptr)
    add_risk(risks, psprintf("Linkage, inference and utility were not measured: %s.",
                             subject.not_compared));
  else
    add_risk(risks, "Comparisons are with the rows of the source at the time of this report.");
  if (subject.hidden_rows)
    add_risk(risks, "Row-level security decides which rows of the release were measured.");
}

}  // namespace

List* residual_risks(const Subject& subject, const Findings& findings) {
  List* risks = NIL;
  add_of_classes(risks, subject, findings);
  add_of_values(risks, subject, findings);
  add_of_columns(risks, subject, findings);
  add_of_code(risks, subject);
  add_of_versions(risks, subject);
  return risks;
}

void write_residual(const Html& html, const Subject& subject, const Findings& findings) {
  html.raw("<section id=\"residual\"><h2>Residual risks</h2>\n<ul>\n");
  ListCell* cell;
  foreach (cell, residual_risks(subject, findings))
    html.raw("<li>").text(static_cast<const char*>(lfirst(cell))).raw("</li>\n");
  html.raw("</ul>\n</section>\n");
}

}  // namespace anonkit::pg
