#pragma once

// The sections of a benchmark that its arguments name; without arguments all.

#include <algorithm>
#include <cstring>

namespace anonkit {

inline bool is_wanted(const char* section, int argc, char** argv) {
  return argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char* argument) {
           return std::strcmp(argument, section) == 0;
         });
}

}  // namespace anonkit
