#include "mutant.hpp"

#include <cstdlib>

namespace mutant {

const int active = std::getenv("MUTANT") == nullptr ? -1 : std::atoi(std::getenv("MUTANT"));
std::atomic<bool> reached[kMost];
bool applicable[kMost];

}  // namespace mutant
