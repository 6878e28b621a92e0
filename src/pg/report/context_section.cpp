#include "pg/backend/json_build.hpp"
#include "pg/report/page.hpp"
#include "pg/report/sections.hpp"

namespace anonkit::pg {

void write_context(const Html& html, const Context& context, bool of_owner) {
  html.raw("<section id=\"context\"><h2>Context</h2>\n");
  if (context.empty()) {
    if (of_owner)
      html.raw(
          "<p class=\"missing\">None was given: recipient, purpose, controls, reviewer and "
          "decision "
          "are open. <code>anon_context</code> writes them.</p>\n</section>\n");
    else
      html.raw("<p class=\"missing\">The context is for the owner.</p>\n</section>\n");
    return;
  }
  html.raw("<p>The owner wrote this; no figure shows it.</p>\n<dl>\n");
  for (int i = 0; i < kContextCount; ++i)
    write_fact(html, kContextItems[i].words, context.words[i]);
  html.raw("<div><dt>Fingerprint of the context (SHA-256)</dt><dd><code>")
      .text(fingerprint_of(context.json))
      .raw("</code></dd></div>\n</dl>\n");
  const char* past = past_date(context, "the release");
  if (past != nullptr)
    html.raw("<p><span class=\"bad\">&#10007; The date has passed: ")
        .text(past)
        .raw(".</span></p>\n");
  html.raw("</section>\n");
}

}  // namespace anonkit::pg
