#pragma once

// The sections of a benchmark named by its arguments; all without arguments.

#include <algorithm>
#include <cstring>

namespace anonkit {

inline bool is_wanted(const char* section, int argc, char** argv) {
  return argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char* argument) {
           return std::strcmp(argument, section) == 0;
         });
}

}  // namespace anonkit
