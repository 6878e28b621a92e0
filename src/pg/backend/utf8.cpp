#include "pg/backend/utf8.hpp"

extern "C" {
#include "catalog/namespace.h"
#include "mb/pg_wchar.h"
#include "utils/memutils.h"
}

namespace anonkit::pg {
namespace {

bool is_ascii(const char* text, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    if (IS_HIGHBIT_SET(text[i])) return false;
  return true;
}

const char* converted(int server, const char* text, std::size_t size) {
  const Oid conversion = FindDefaultConversionProc(server, PG_UTF8);
  if (!OidIsValid(conversion) || size > (MaxAllocSize - 1) / MAX_CONVERSION_GROWTH) return nullptr;
  const auto length = static_cast<int>(size), room = length * MAX_CONVERSION_GROWTH + 1;
  auto* utf8 = static_cast<unsigned char*>(palloc(static_cast<Size>(room)));
  auto* bytes = reinterpret_cast<unsigned char*>(const_cast<char*>(text));
  const bool no_error = true;
  const int done = pg_do_encoding_conversion_buf(conversion, server, PG_UTF8, bytes, length, utf8,
                                                 room, no_error);
  return done == length ? reinterpret_cast<const char*>(utf8) : nullptr;
}

}  // namespace

const char* to_utf8(const char* text, std::size_t size) {
  const int server = GetDatabaseEncoding();
  if (server == PG_UTF8 || is_ascii(text, size)) return text;
  if (server != PG_SQL_ASCII) return converted(server, text, size);
  const bool no_error = true;
  return pg_verify_mbstr(PG_UTF8, text, static_cast<int>(size), no_error) ? text : nullptr;
}

}  // namespace anonkit::pg
