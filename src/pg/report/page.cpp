#include "pg/report/page.hpp"

#include "pg/report/style.hpp"

namespace anonkit::pg {

void begin_page_head(const Html& html, const char* title, const char* script) {
  html.raw(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'");
  if (script != nullptr) html.raw("; script-src 'sha256-").text(script).raw("'");
  html.raw("\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
  html.text(title).raw("</title>\n<style>").raw(kStyle).raw("</style>\n");
}

void end_page_head(const Html& html) {
  html.raw("</head>\n<body>\n");
}

void write_page_head(const Html& html, const char* title) {
  begin_page_head(html, title, nullptr);
  end_page_head(html);
}

void write_signature(const Html& html) {
  html.raw(
      "<section id=\"signature\"><h2>Signature</h2>\n<dl class=\"sign\">"
      "<div><dt>Reviewed by</dt><dd></dd></div><div><dt>Date</dt><dd></dd></div>"
      "<div><dt>Decision and signature</dt><dd></dd></div></dl>\n</section>\n");
}

void write_page_end(const Html& html, const char* functions) {
  html.raw("<footer>Every figure is a row of ")
      .text(functions)
      .raw(".</footer>\n</body>\n</html>\n");
}

void write_fact(const Html& html, const char* name, const char* words) {
  if (words != nullptr)
    html.raw("<div><dt>").text(name).raw("</dt><dd>").text(words).raw("</dd></div>\n");
}

void write_judgement(const Html& html, bool good, const char* words) {
  html.raw("<td data-label=\"Verdict\"><span class=\"");
  if (good)
    html.raw("good\">&#10003; ");
  else
    html.raw("bad\">&#10007; ");
  html.text(words).raw("</span></td>");
}

}  // namespace anonkit::pg
