#include "partition/method.hpp"

#include "partition/mdav.hpp"

namespace anonkit {
namespace {

constexpr Method kMethods[] = {
    {"mdav", [](const Space& space, const Options& options,
                Ticker& ticker) { return mdav(space, options.k, ticker); }},
};

}  // namespace

const Method* find_method(std::string_view name) {
  for (const Method& method : kMethods)
    if (method.name == name) return &method;
  return nullptr;
}

}  // namespace anonkit
