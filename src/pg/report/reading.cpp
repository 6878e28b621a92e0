// The table of contents, and the words of the page.

#include "pg/report/html.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {
namespace {

struct Chapter {
  const char* id;
  const char* title;
};

void write_link(const Html& html, const Chapter& chapter) {
  html.raw("<li><a href=\"#").text(chapter.id).raw("\">").text(chapter.title).raw("</a></li>\n");
}

void write_term(const Html& html, const char* term, const char* meaning) {
  html.raw("<div><dt>").text(term).raw("</dt><dd>").text(meaning).raw("</dd></div>\n");
}

}  // namespace

void write_contents(const Html& html, const Subject& subject) {
  html.raw("<nav id=\"contents\" aria-label=\"Contents\"><h2>Contents</h2>\n<ol>\n");
  for (const Chapter& chapter : {Chapter{"verdict", "Verdict"},
                                 {"reading", "How to read this"},
                                 {"levels", "Levels"},
                                 {"identity", "Identity"},
                                 {"context", "Context"},
                                 {"attacks", "All figures of attacks"}})
    write_link(html, chapter);
  if (!subject.swapped) write_link(html, {"classes", "Class sizes"});
  for (const Chapter& chapter : {Chapter{"columns", "Columns"},
                                 {"correlations", "Correlations"},
                                 {"residual", "Residual risks"}})
    write_link(html, chapter);
  if (has_history(subject)) write_link(html, {"history", "History"});
  for (const Chapter& chapter :
       {Chapter{"statement", "Statement"}, {"clauses", "Clause map"}, {"signature", "Signature"}})
    write_link(html, chapter);
  html.raw("</ol></nav>\n");
}

void write_reading(const Html& html, const Subject& subject) {
  html.raw("<section id=\"reading\"><h2>How to read this</h2>\n<dl>\n");
  write_term(html, "Threshold",
             psprintf("%s. The default of 9 %% is the threshold that the European Medicines Agency "
                      "names for public release in its guidance on policy 0070 (clinical data). It "
                      "is a custom, not a law: the context of a release decides.",
                      share_text(subject.threshold)));
  if (subject.swapped) {
    write_term(html, "Private class",
               "At least k records that exchanged their values. Only the owner knows the classes.");
    write_term(
        html, "Probabilistic k-anonymity",
        "A published row holds the values of a given person of its class with a chance of at "
        "most 1 / k. Readers who group the rows find most of them alone.");
  } else {
    write_term(html, "Class", "Records that agree in all quasi-identifiers as published.");
    write_term(html, "Risk of a record",
               "1 / the size of its class: the chance that a guess picks the right record.");
  }
  write_term(
      html, "Gain of a guess",
      "How far a guess with the release improves on always guessing the most frequent value, "
      "as a share of the largest possible gain.");
  write_term(html, "Singled out, linked, inferred",
             "One record is isolated; a record is joined with a person of other data; a value of a "
             "person is deduced.");
  write_term(html, "Quasi-identifier", "A column that others may know of a person.");
  html.raw("</dl>\n</section>\n");
}

}  // namespace anonkit::pg
