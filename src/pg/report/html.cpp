#include "pg/report/html.hpp"

#include <cmath>
#include <cstring>

#include "pg/backend/utf8.hpp"

extern "C" {
#include "mb/pg_wchar.h"
}

namespace anonkit::pg {
namespace {

/// Appends a character that needs escaping or is not ASCII.
void append_character(StringInfo page, pg_wchar code) {
  const bool plain =
      code >= ' ' && code < 127 && std::strchr("<>&\"'", static_cast<int>(code)) == nullptr;
  if (plain || code == '\n' || code == '\t')
    appendStringInfoChar(page, static_cast<char>(code));
  else if (code >= ' ')
    appendStringInfo(page, "&#%u;", static_cast<unsigned>(code));
  else
    appendStringInfoString(page, "&#65533;");
}

}  // namespace

Html::Html() : page_(makeStringInfo()) {}

const Html& Html::append(const char* markup) const {
  appendStringInfoString(page_, markup);
  return *this;
}

const Html& Html::text(const char* words) const {
  if (words == nullptr) return *this;
  const char* utf8 = to_utf8(words, std::strlen(words));
  const char* rest = utf8 != nullptr ? utf8 : words;
  int left = static_cast<int>(std::strlen(rest));
  while (left > 0) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(rest);
    const int length = pg_utf_mblen(bytes);
    const bool legal = length <= left && pg_utf8_islegal(bytes, length);
    append_character(page_, legal ? utf8_to_unicode(bytes) : 0);
    rest += legal ? length : 1;
    left -= legal ? length : 1;
  }
  return *this;
}

const Html& Html::coordinate(double number) const {
  return append(psprintf("%.2f", number));
}

const Html& Html::integer(int number) const {
  return append(psprintf("%d", number));
}

const Html& Html::part(const Html& other) const {
  appendBinaryStringInfo(page_, other.page_->data, other.page_->len);
  return *this;
}

const Html& Html::head(const char* const* names, int count) const {
  raw("<thead><tr>");
  for (int i = 0; i < count; ++i) raw("<th scope=\"col\">").text(names[i]).raw("</th>");
  return raw("</tr></thead>\n");
}

const Html& Html::cell(const char* name, const char* words) const {
  return raw("<td data-label=\"").text(name).raw("\">").text(words).raw("</td>");
}

varlena* Html::finish() const {
  return cstring_to_text_with_len(page_->data, page_->len);
}

const char* count_text(double number) {
  if (std::isnan(number)) return "-";
  char* digits = psprintf("%.0f", number);
  StringInfoData grouped;
  initStringInfo(&grouped);
  const auto length = static_cast<int>(std::strlen(digits));
  for (int i = 0; i < length; ++i) {
    if (i > 0 && digits[i - 1] != '-' && (length - i) % 3 == 0) appendStringInfoChar(&grouped, ',');
    appendStringInfoChar(&grouped, digits[i]);
  }
  return grouped.data;
}

const char* number_text(double number) {
  if (std::isnan(number)) return "-";
  if (std::isinf(number)) return number > 0 ? "infinite" : "minus infinite";
  if (number == std::floor(number) && std::fabs(number) < 1e15) return count_text(number);
  return psprintf("%.4g", number);
}

const char* share_text(double number) {
  if (std::isnan(number)) return "-";
  return psprintf("%.3g %%", 100 * number);
}

bool is_folded(double number, double least) {
  return number > 0 && number < least;
}

const char* folded_count_text(double number, double least) {
  if (is_folded(number, least)) return psprintf("fewer than %s", count_text(least));
  return count_text(number);
}

}  // namespace anonkit::pg
