#include "pg/report/clauses.hpp"

#include <cctype>
#include <cmath>
#include <cstring>

#include "pg/backend/session.hpp"
#include "pg/report/html.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

/// All that the answers draw from. Plain data.
struct Known {
  const Subject& subject;
  const Assessment& found;
  const Findings& findings;
};

/// An answer; null: open.
using AnswerFunction = const char* (*)(const Known& known);

const char* of_answer(const Answer& answer) {
  if (answer.state == State::open) return nullptr;
  return psprintf("%s: %s", answer.figure, answer.text);
}
const char* of_singling_out(const Known& known) {
  return of_answer(known.found.answers[0]);
}
const char* of_linking(const Known& known) {
  return of_answer(known.found.answers[1]);
}
const char* of_inference(const Known& known) {
  return of_answer(known.found.answers[2]);
}
const char* of_verdict(const Known& known) {
  return known.found.verdict;
}

const char* of_columns(const Known& known) {
  const Subject& subject = known.subject;
  return psprintf("Columns by role: %d quasi-identifiers, %d sensitive, %d kept",
                  subject.names({Role::quasi_identifier}).count,
                  subject.names({Role::sensitive}).count, subject.names({Role::keep}).count);
}

const char* of_method(const Known& known) {
  const Subject& subject = known.subject;
  if (!subject.published) return nullptr;
  return psprintf("Method %s; the recoding of each column is stated under Columns",
                  subject.spec.method->name);
}

const char* of_attacks(const Known& known) {
  const char* linking = of_linking(known);
  const char* inference = of_inference(known);
  if (linking == nullptr || inference == nullptr) return linking != nullptr ? linking : inference;
  return psprintf("%s; %s", linking, inference);
}

const char* of_threshold(const Known& known) {
  const char* measured = of_singling_out(known);
  if (measured == nullptr) return nullptr;
  return psprintf("%s, against a threshold of %s", measured, share_text(known.subject.threshold));
}

const char* of_adversaries(const Known& known) {
  return known.found.answers[0].adversary;
}

const char* of_utility(const Known& known) {
  const double error = known.findings.utility.find("propensity_mse");
  if (std::isnan(error)) return nullptr;
  return psprintf(
      "Propensity-score mean squared error: %s; losses and distributions are under "
      "Columns",
      number_text(error));
}

/// An item, with the key of the context or the function that answers it.
struct Item {
  const char* framework;
  const char* item;
  AnswerFunction figure;
  const char* key;
};

constexpr char kIso[] = "ISO/IEC 27559";
constexpr char kIco[] = "ICO 2025";
constexpr char kEhds[] = "EHDS Art. 66";
constexpr char kEma[] = "EMA policy 0070";
constexpr char kHipaa[] = "HIPAA, factors";
constexpr char kNist[] = "NIST SP 800-188";

constexpr Item kItems[] = {
    {kIso, "Context: recipient", nullptr, "recipient"},
    {kIso, "Context: controls at the recipient", nullptr, "controls"},
    {kIso, "Data: columns and their roles", of_columns, nullptr},
    {kIso, "Data: population", nullptr, "population"},
    {kIso, "Data: time span", nullptr, "time_span"},
    {kIso, "Risk against a threshold", of_threshold, nullptr},
    {kIso, "Adversarial testing", of_attacks, nullptr},
    {kIso, "Re-evaluation", nullptr, "review_due"},
    {kIso, "Governance: reviewer", nullptr, "reviewer"},
    {kIso, "Governance: decision", nullptr, "decision"},
    {kIco, "Singling out", of_singling_out, nullptr},
    {kIco, "Linking", of_linking, nullptr},
    {kIco, "Inference", of_inference, nullptr},
    {kIco, "Motivated intruder: other data at hand", nullptr, "additional_data"},
    {kEhds, "Purpose", nullptr, "purpose"},
    {kEhds, "Legal basis", nullptr, "legal_basis"},
    {kEhds, "Columns that are published", of_columns, nullptr},
    {kEhds, "Result of anonymisation", of_verdict, nullptr},
    {kEma, "Identifiers and their roles", of_columns, nullptr},
    {kEma, "Methods of anonymisation", of_method, nullptr},
    {kEma, "Adversaries", of_adversaries, nullptr},
    {kEma, "Measured risk and threshold", of_threshold, nullptr},
    {kEma, "Impact on utility", of_utility, nullptr},
    {kHipaa, "Replicability of values over time", nullptr, nullptr},
    {kHipaa, "Availability of other sources", nullptr, "additional_data"},
    {kHipaa, "Distinguishability of persons", of_singling_out, nullptr},
    {kNist, "Model of sharing: recipient", nullptr, "recipient"},
    {kNist, "Review board: decision", nullptr, "decision"},
    {kNist, "Technique of de-identification", of_method, nullptr},
    {kNist, "Measured re-identification risk", of_threshold, nullptr},
    {kNist, "Re-identification study", of_attacks, nullptr},
    {kNist, "Data quality", of_utility, nullptr},
    {kNist, "Review over the life of the data", nullptr, "review_due"},
};

Clause answered(const Item& item, const Known& known) {
  Clause clause = {item.framework, item.item, AnsweredBy::open, nullptr};
  if (item.figure != nullptr) {
    clause.answer = item.figure(known);
    if (clause.answer != nullptr) clause.by = AnsweredBy::figure;
  } else if (item.key != nullptr && !known.subject.context.empty()) {
    clause.answer = known.subject.context.answer(item.key);
    if (clause.answer != nullptr) clause.by = AnsweredBy::context;
  }
  return clause;
}

/// One of the eighteen identifiers, with parts of column names that suggest it.
struct Identifier {
  const char* item;
  const char* parts;  ///< separated by blanks
};

constexpr Identifier kIdentifiers[] = {
    {"Names", "name surname forename"},
    {"Places smaller than a state", "city town street address zip postcode postal county ward plz"},
    {"Dates of a person but the year", ""},
    {"Telephone numbers", "phone mobile"},
    {"Fax numbers", "fax"},
    {"Email addresses", "email mail"},
    {"Social security numbers", "ssn social_security"},
    {"Medical record numbers", "mrn record_number patient_id"},
    {"Health plan numbers", "insurance health_plan beneficiary"},
    {"Account numbers", "account iban"},
    {"Certificate and licence numbers", "license licence certificate"},
    {"Vehicle identifiers", "vehicle plate vin"},
    {"Device identifiers", "device serial imei"},
    {"Web addresses", "url website"},
    {"Internet addresses", "ip_address ipaddr"},
    {"Biometric identifiers", "fingerprint biometric retina"},
    {"Photographs of faces", "photo image picture"},
    {"Any other unique number or code", "uuid guid identifier"},
};

bool contains_part(const char* name, const char* parts) {
  char* lower = pstrdup(name);
  for (char* c = lower; *c != '\0'; ++c)
    *c = static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  for (const char* part = parts; *part != '\0';) {
    const std::size_t length = std::strcspn(part, " ");
    if (std::strstr(lower, pnstrdup(part, length)) != nullptr) return true;
    part += length + std::strspn(part + length, " ");
  }
  return false;
}

/// Dates by type, all others by name.
bool suggests(const ReportColumn& column, const Identifier& identifier) {
  if (identifier.parts[0] != '\0') return contains_part(column.name, identifier.parts);
  return std::strncmp(column.type, "date", 4) == 0 ||
         std::strncmp(column.type, "timestamp", 9) == 0;
}

Clause looked_for(const Identifier& identifier, const Subject& subject) {
  StringInfoData text;
  initStringInfo(&text);
  for (int i = 0; i < subject.count; ++i)
    if (suggests(subject.columns[i], identifier))
      appendStringInfo(&text, "%s%s (%s)", text.len > 0 ? ", " : "", subject.columns[i].name,
                       subject.columns[i].recoding);
  const bool found = text.len > 0;
  return {
      "HIPAA, eighteen identifiers", identifier.item, found ? AnsweredBy::figure : AnsweredBy::open,
      found ? psprintf("Published: %s", text.data) : "No published column is named or typed so"};
}

}  // namespace

const char* word_of(AnsweredBy by) {
  static constexpr const char* kWords[] = {"figure", "context", "open"};
  return kWords[static_cast<int>(by)];
}

Clauses map_clauses(const Subject& subject, const Assessment& found, const Findings& findings) {
  const Known known = {subject, found, findings};
  Clauses map = {allocate<Clause>(lengthof(kItems) + lengthof(kIdentifiers)), 0};
  for (const Item& item : kItems) map.list[map.count++] = answered(item, known);
  for (const Identifier& identifier : kIdentifiers)
    map.list[map.count++] = looked_for(identifier, subject);
  return map;
}

void write_clauses(const Html& html, const Subject& subject, const Assessment& found,
                   const Findings& findings) {
  static constexpr const char* kColumns[] = {"Item", "Answered by", "Answer"};
  const Clauses map = map_clauses(subject, found, findings);
  html.raw(
      "<section id=\"clauses\"><h2>Clause map</h2>\n<p>The items that frameworks ask about, in the "
      "words of this page, and where it answers them: by a figure, by the context that the owner "
      "wrote, or not at all. An item that is answered is not thereby satisfied: the map states no "
      "compliance.</p>\n");
  for (int i = 0; i < map.count; ++i) {
    const Clause& clause = map.list[i];
    if (i == 0 || std::strcmp(clause.framework, map.list[i - 1].framework) != 0) {
      if (i > 0) html.raw("</tbody></table>\n");
      html.raw("<table class=\"clauses\"><caption>").text(clause.framework).raw("</caption>");
      html.head(kColumns, 3).raw("<tbody>\n");
    }
    html.raw("<tr>").cell(kColumns[0], clause.item);
    if (clause.by == AnsweredBy::open)
      html.raw("<td data-label=\"Answered by\"><span class=\"missing\">open</span></td>");
    else
      html.cell(kColumns[1], word_of(clause.by));
    html.cell(kColumns[2], clause.answer != nullptr ? clause.answer : "not answered");
    html.raw("</tr>\n");
  }
  html.raw("</tbody></table>\n</section>\n");
}

}  // namespace anonkit::pg
