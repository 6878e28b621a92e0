#pragma once

#include "pg/report/html.hpp"

namespace anonkit::pg {

// The parts that all pages have.

/// The head, up to the body. The page forbids the browser to load any script, font or image.
void write_page_head(const Html& html, const char* title);

/// The two parts of a head with more style between them. The page may run the one script of that
/// SHA-256, in base64; null: none.
void begin_page_head(const Html& html, const char* title, const char* script);
void end_page_head(const Html& html);

/// The place to sign.
void write_signature(const Html& html);

/// The functions whose rows are the figures.
void write_page_end(const Html& html, const char* functions);

/// A line of a list of facts; nothing without words.
void write_fact(const Html& html, const char* name, const char* words);

/// A verdict in a table, with a word and a sign beside the colour, for readers who cannot see it.
void write_judgement(const Html& html, bool good, const char* words);

}  // namespace anonkit::pg
