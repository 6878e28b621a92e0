#include "pg/report/assessment.hpp"

#include <cmath>
#include <cstring>

#include "pg/report/figure_words.hpp"
#include "pg/report/html.hpp"

namespace anonkit::pg {
namespace {

constexpr const char* kStates[] = {"good", "high", "broken", "open"};

State against(double value, double threshold) {
  if (std::isnan(value)) return State::open;
  return value <= threshold ? State::good : State::high;
}

/// The figure that a page may show, and its state.
void set_figure(Answer& answer, const char* measure, const char* attribute, double value,
                const Subject& subject, const Findings& findings) {
  const Figure figure = {measure, attribute, value, nullptr};
  const ShownFigure seen =
      shown(figure, findings.linkage, findings.records(), subject.least_count());
  answer.measure = figure.measure;
  answer.attribute = figure.attribute;
  answer.value = !std::isnan(seen.value)   ? seen.value
                 : !std::isnan(seen.below) ? seen.below
                                           : seen.above;
  answer.text = seen.text;
  if (answer.figure == nullptr) answer.figure = words_of(figure, subject.threshold);
  answer.state = against(figure.value, subject.threshold);
}

void leave_open(Answer& answer, const char* reason) {
  answer.state = State::open;
  answer.value = NAN;
  answer.text = "not measured";
  answer.reason = reason;
}

/// The bound of probabilistic k-anonymity. It holds for what a row tells beside the
/// quasi-identifiers, so linking and singling out have the same one.
void set_bound(Answer& answer, const Subject& subject, const Findings& findings) {
  answer.adversary =
      "An attacker who knows the quasi-identifiers of all persons of the source, the program and "
      "the private classes, but not the secret.";
  answer.assumption =
      "Sensitive and kept values are independent of quasi-identifiers within a private class. That "
      "a person is in the source is no secret: every published value is real.";
  set_figure(answer, "swap_bound", nullptr, 1 / static_cast<double>(subject.k()), subject,
             findings);
  answer.text = psprintf("at most %s", share_text(answer.value));
  if (findings.verification == Verification::failed)
    leave_open(answer, "the rows are not what the private classes and the secret make");
}

Answer singled_out(const Subject& subject, const Findings& findings) {
  Answer answer = {};
  answer.id = "singled_out";
  answer.question = "Can somebody be singled out?";
  if (subject.swapped) {
    answer.figure = "chance that a published row is a person's, by probabilistic k-anonymity";
    set_bound(answer, subject, findings);
    return answer;
  }
  answer.adversary =
      "An attacker who knows that a person is in the release, and all quasi-identifiers of this "
      "person (a prosecutor).";
  answer.assumption = "All records of a class are equally likely, and no other column is known.";
  const char* measure = "prosecutor_max";
  set_figure(answer, measure, nullptr, findings.risk.find(measure), subject, findings);
  return answer;
}

Answer linked(const Subject& subject, const Findings& findings) {
  Answer answer = {};
  answer.id = "linked";
  answer.question = "Can records be linked to persons?";
  if (subject.swapped) {
    answer.figure = "chance that a link by an equal row is right, by probabilistic k-anonymity";
    set_bound(answer, subject, findings);
    return answer;
  }
  answer.adversary =
      "An attacker who holds the quasi-identifiers of every person of the source, and takes the "
      "published record that is nearest.";
  answer.assumption =
      "The data of the attacker are exact, and every person is in them. Without a key the figure "
      "is the largest possible one.";
  const double right = findings.linkage.find("expected");
  if (subject.not_compared != nullptr)
    leave_open(answer, subject.not_compared);
  else if (std::isnan(right))
    leave_open(answer, "no quasi-identifier can be compared");
  else
    set_figure(answer, "expected", nullptr, right, subject, findings);
  return answer;
}

/// The largest figure of one of the measures.
bool largest_of(const Figures& figures, const char* const* measures, int count, Figure* largest) {
  bool found = false;
  for (int i = 0; i < figures.count; ++i) {
    const Figure& figure = figures.list[i];
    if (!is_among(figure.measure, measures, count) || std::isnan(figure.value)) continue;
    if (found && figure.value <= largest->value) continue;
    *largest = figure;
    found = true;
  }
  return found;
}

Answer inferred(const Subject& subject, const Findings& findings) {
  static constexpr const char* kGains[] = {"class_advantage", "nearest_advantage",
                                           "bayes_advantage"};
  static constexpr const char* kCertain[] = {"certain_inferences"};
  Answer answer = {};
  answer.id = "inferred";
  answer.question = "Can values be inferred?";
  Figure figure = {};
  const bool of_guesses = largest_of(findings.inference, kGains, 3, &figure);
  answer.adversary =
      of_guesses ? "An attacker who knows the quasi-identifiers of a person of the source, and "
                   "guesses the sensitive value by class, neighbours or classifier."
                 : "An attacker who knows that a person is in the release, and all "
                   "quasi-identifiers of this person.";
  answer.assumption =
      of_guesses ? "The release is all that the attacker has beside them. What is true of all "
                   "persons alike, and the purpose of publication, counts, too."
                 : "Only values that follow for certain from a class count.";
  if (subject.names({Role::sensitive}).count == 0)
    leave_open(answer, "no column was named as sensitive");
  else if (of_guesses || (!subject.swapped && largest_of(findings.risk, kCertain, 1, &figure)))
    set_figure(answer, figure.measure, figure.attribute, figure.value, subject, findings);
  else
    leave_open(answer, subject.not_compared != nullptr ? subject.not_compared
                                                       : "no sensitive column can be compared");
  if (answer.value < 0) answer.value = 0;
  return answer;
}

void add(List*& sentences, const char* sentence) {
  sentences = lappend(sentences, const_cast<char*>(sentence));
}

/// A step that lowers a risk above the threshold.
const char* remedy(const Answer& answer, const Subject& subject) {
  if (std::strcmp(answer.id, "singled_out") == 0)
    return psprintf(
        "The largest risk is above the threshold of %s. A k of %.0f keeps it; or record "
        "in the context why a higher risk is acceptable for this recipient.",
        share_text(subject.threshold), std::ceil(1 / subject.threshold - 1e-9));
  if (std::strcmp(answer.id, "linked") == 0)
    return "More links are right than the threshold allows. A larger k, fewer quasi-identifiers or "
           "coarser values lower that.";
  return psprintf(
      "Guesses of \"%s\" gain more than the threshold. Decide whether this gain is the "
      "purpose of the release; alpha, l or t limit it.",
      answer.attribute);
}

void advise_on_context(const Subject& subject, List*& next) {
  if (!subject.of_owner) return;
  if (subject.context.empty()) {
    if (subject.published)
      add(next, "Write recipient, purpose, reviewer and decision into the context: anon_context.");
    return;
  }
  const char* past = past_date(subject.context, "the release");
  if (past != nullptr) add(next, psprintf("Review the release: %s.", past));
}

List* next_steps(const Assessment& found, const Subject& subject, const Findings& findings) {
  List* next = NIL;
  if (found.broken > 0)
    add(next, subject.published ? "Do not pass the release on. Refresh it, or publish it anew."
                                : "Do not pass the relation on: it has not the levels that were "
                                  "asked for.");
  if (findings.verification == Verification::changed)
    add(next,
        "The source has changed since the release was made: anon_refresh makes and verifies "
        "it anew.");
  for (const Answer& answer : found.answers)
    if (answer.state == State::high) add(next, remedy(answer, subject));
  if (subject.not_compared != nullptr)
    add(next,
        "Let a role that may read the source write this report: links and guesses were not "
        "measured.");
  advise_on_context(subject, next);
  add(next, subject.of_owner || !subject.published ? "Read the residual risks, decide, and sign."
                                                   : "Read the residual risks.");
  return next;
}

void count_promises(const Findings& findings, Assessment& found) {
  for (int i = 0; i < findings.model_count; ++i) {
    const ModelFinding& finding = findings.models[i];
    if (!is_promised(finding)) continue;
    ++found.promised;
    if (std::isnan(finding.found))
      ++found.verified;
    else if (!finding.keeps())
      ++found.broken;
  }
  if (findings.verification == Verification::failed) ++found.broken;
}

const char* words_of_promises(const Assessment& found, const Subject& subject) {
  if (found.broken > 0) return psprintf("Promises that are not kept: %d.", found.broken);
  if (found.promised == 0 && !subject.of_aggregates())
    return "Nothing was promised of this relation.";
  return subject.swapped ? "Every promise is kept."
                         : "Every promise that the release shows is kept.";
}

void conclude(Assessment& found, const Subject& subject) {
  int high = 0;
  int open = 0;
  for (const Answer& answer : found.answers) {
    high += answer.state == State::high ? 1 : 0;
    open += answer.state == State::open ? 1 : 0;
  }
  found.state = found.broken > 0 ? State::broken
                : high > 0       ? State::high
                : open > 0       ? State::open
                                 : State::good;
  StringInfoData text;
  initStringInfo(&text);
  appendStringInfoString(&text, words_of_promises(found, subject));
  static constexpr const char* kHigh[] = {"", "One of three risks is", "Two of three risks are",
                                          "All three risks are"};
  if (high > 0)
    appendStringInfo(&text, " %s above the threshold of %s.", kHigh[high],
                     share_text(subject.threshold));
  else if (open < kAnswers)
    appendStringInfo(&text, " %s within the threshold of %s.",
                     open > 0 ? "The measured risks are" : "All three risks are",
                     share_text(subject.threshold));
  if (open > 0) appendStringInfo(&text, " Not measured: %d.", open);
  found.verdict = text.data;
}

}  // namespace

const char* word_of(State state) {
  return kStates[static_cast<int>(state)];
}

bool is_promised(const ModelFinding& finding) {
  return !std::isnan(finding.promised);
}

bool is_kept(const ModelFinding& finding, const Findings& findings) {
  return std::isnan(finding.found) ? findings.verification != Verification::failed
                                   : finding.keeps();
}

const char* property_of(const ModelFinding& finding) {
  return finding.attribute != nullptr ? psprintf("%s of %s", finding.name, finding.attribute)
                                      : finding.name;
}

const char* level_of(const ModelFinding& finding) {
  const Comparison direction =
      finding.model == nullptr ? Comparison::at_least : finding.model->comparison;
  return psprintf("%s %s", words_of(direction), number_text(finding.promised));
}

Assessment assess(const Subject& subject, const Findings& findings) {
  Assessment found = {};
  count_promises(findings, found);
  found.answers[0] = singled_out(subject, findings);
  found.answers[1] = linked(subject, findings);
  found.answers[2] = inferred(subject, findings);
  conclude(found, subject);
  found.next = next_steps(found, subject, findings);
  return found;
}

}  // namespace anonkit::pg
