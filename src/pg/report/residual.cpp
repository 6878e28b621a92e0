#include <cmath>
#include <cstring>

#include "method/mondrian/grid_method.hpp"
#include "recode/recoding.hpp"

#include "pg/backend/session.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

void write_risk(const Html& html, const char* words) {
  html.raw("<li>").text(words).raw("</li>\n");
}

/// The names of the columns of a part, separated by commas; null without any.
char* list_of(const Names& names) {
  if (names.count == 0) return nullptr;
  StringInfoData list;
  initStringInfo(&list);
  for (int i = 0; i < names.count; ++i)
    appendStringInfo(&list, "%s%s", i > 0 ? ", " : "", names.names[i]);
  return list.data;
}

void write_of_classes(const Html& html, const Subject& subject, const Findings& findings) {
  if (findings.risk.find("prosecutor_max") > subject.threshold)
    write_risk(
        html,
        psprintf("An attacker who knows that a person is in the release, and knows the "
                 "quasi-identifiers, picks the right record with a chance of up to %s. "
                 "The threshold is %s.",
                 share_text(findings.risk.find("prosecutor_max")), share_text(subject.threshold)));
  if (subject.spec.unit.count == 0)
    write_risk(
        html, "k counts records. If a person has several, fewer persons than k may share a class.");
  const char* of_cells =
      subject.spec.outward ? nullptr : recoding(subject.spec.options.recode).remaining_risk;
  if (subject.published && of_cells != nullptr) write_risk(html, of_cells);
}

void write_of_values(const Html& html, const Subject& subject, const Findings& findings) {
  const Names sensitive = subject.names({Role::sensitive});
  for (int a = 0; a < sensitive.count; ++a) {
    const char* name = sensitive.names[a];
    bool promised = false;
    for (int i = 0; i < findings.model_count; ++i)
      promised = promised || (findings.models[i].attribute != nullptr &&
                              std::strcmp(findings.models[i].attribute, name) == 0 &&
                              !std::isnan(findings.models[i].promised));
    if (!promised)
      write_risk(html, psprintf("Nothing was promised about the values of \"%s\": a class may "
                                "give them away.",
                                name));
    if (findings.risk.find("homogeneous_classes", name) > 0)
      write_risk(html, psprintf("There are classes whose records all have one value of \"%s\": "
                                "an attacker who finds a person's class knows it for certain.",
                                name));
    const double gain = std::fmax(findings.inference.find("class_advantage", name),
                                  findings.inference.find("bayes_advantage", name));
    if (gain > 0)
      write_risk(html,
                 psprintf("Guessing \"%s\" from the release gains %s of the largest possible gain "
                          "over the base rate. A part of it is the purpose of publication.",
                          name, share_text(gain)));
  }
}

void write_of_columns(const Html& html, const Subject& subject, const Findings& findings) {
  const Names as_they_are = subject.names({Role::sensitive, Role::keep});
  for (int i = 0; i < as_they_are.count; ++i) {
    const double alone = findings.risk.find("unique_values", as_they_are.names[i]);
    if (alone > 0)
      write_risk(html,
                 psprintf("\"%s\" is published as it is, and one record alone has each of %s "
                          "of its values: an attacker who knows such a value finds the record.",
                          as_they_are.names[i], folded_count_text(alone, subject.least_count())));
  }
  const char* open = list_of(subject.names({Role::sensitive, Role::keep}));
  if (open != nullptr)
    write_risk(html,
               psprintf("These columns are published as they are: %s. An attacker who knows "
                        "such a value of a person may find the record by it; no figure here counts "
                        "that.",
                        open));
  write_risk(html, psprintf("All figures hold for an attacker who knows these columns and no "
                            "others: %s.",
                            list_of(subject.names({Role::quasi_identifier}))));
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

void write_of_code(const Html& html, const Subject& subject) {
  if (!subject.published || subject.of_aggregates()) return;
  write_risk(html, known_of_quasi_identifiers(subject.spec));
  if (const char* of_values = known_of_values(subject.spec); of_values != nullptr)
    write_risk(html, of_values);
}

void write_of_versions(const Html& html, const Subject& subject) {
  if (subject.over_time)
    write_risk(html,
               "Promises hold for all versions of this release together, not for other releases of "
               "the same persons.");
  else
    write_risk(html,
               "Another release of the same persons, or an earlier version of this one, can be "
               "intersected with it. Promises hold for this version alone.");
  if (subject.not_compared != nullptr)
    write_risk(html, psprintf("Linkage, inference and utility were not measured: %s.",
                              subject.not_compared));
  else
    write_risk(html, "Comparisons are with the rows of the source at the time of this report.");
  if (subject.hidden_rows)
    write_risk(html, "Row-level security decides which rows of the release were measured.");
}

}  // namespace

void write_residual(const Html& html, const Subject& subject, const Findings& findings) {
  html.raw("<section id=\"residual\"><h2>Residual risks</h2>\n<ul>\n");
  write_of_classes(html, subject, findings);
  write_of_values(html, subject, findings);
  write_of_columns(html, subject, findings);
  write_of_code(html, subject);
  write_of_versions(html, subject);
  html.raw("</ul>\n</section>\n");
}

}  // namespace anonkit::pg
