#include "method/tcloseness/tcloseness.hpp"

#include "base/error.hpp"
#include "method/growing/mdav.hpp"
#include "method/growing/vmdav.hpp"
#include "method/tcloseness/best.hpp"
#include "method/tcloseness/closeness.hpp"
#include "method/tcloseness/k_first.hpp"
#include "method/tcloseness/merge.hpp"
#include "method/tcloseness/repair.hpp"
#include "method/tcloseness/sabre.hpp"
#include "method/tcloseness/t_first.hpp"

namespace anonkit {
namespace {

struct Name {
  std::string_view name;
  TClosenessAlgorithm algorithm;
};

constexpr Name kNames[] = {
    {"merge", TClosenessAlgorithm::merge},     {"k_first", TClosenessAlgorithm::k_first},
    {"t_first", TClosenessAlgorithm::t_first}, {"sabre", TClosenessAlgorithm::sabre},
    {"best", TClosenessAlgorithm::best},
};

void merge_rest(const Space& space, const Closeness& closeness, TClosenessClasses* classes,
                Ticker& ticker) {
  const ClassId before = classes->partition.classes;
  classes->partition = merge_until_close(space, classes->partition, closeness, ticker);
  classes->mergers = before - classes->partition.classes;
}

void repair(const Space& space, const Closeness& closeness, TClosenessClasses* classes,
            Ticker& ticker) {
  if (closeness.close(classes->partition, ticker)) return;
  classes->swaps = repair_by_swaps(space, closeness, &classes->partition, ticker);
  merge_rest(space, closeness, classes, ticker);
}

}  // namespace

const TClosenessAlgorithm* find_tcloseness_algorithm(std::string_view name) {
  for (const Name& entry : kNames)
    if (entry.name == name) return &entry.algorithm;
  return nullptr;
}

TClosenessClasses tcloseness(const Space& space, const std::vector<SensitiveAttribute>& attributes,
                             const TClosenessOptions& options, Ticker& ticker) {
  if (options.k < 1 || options.k > space.size())
    throw Error(ErrorKind::invalid_parameter, "k is out of range",
                "k must be at least 1 and at most the number of records.");
  const Closeness closeness(attributes, ticker);
  TClosenessClasses classes;
  classes.start = options.algorithm;
  const Record k = options.k;
  switch (options.algorithm) {
    case TClosenessAlgorithm::merge:
      classes.partition =
          options.gamma < 0 ? mdav(space, k, ticker) : vmdav(space, k, options.gamma, ticker);
      merge_rest(space, closeness, &classes, ticker);
      break;
    case TClosenessAlgorithm::k_first:
      classes.partition = k_first(space, k, closeness, ticker);
      merge_rest(space, closeness, &classes, ticker);
      break;
    case TClosenessAlgorithm::t_first: {
      const SensitiveAttribute& first = attributes.front();
      classes.cluster_size = t_first_cluster_size(space.size(), k, first.t);
      classes.partition = t_first(space, first.ranks, classes.cluster_size, ticker);
      repair(space, closeness, &classes, ticker);
      break;
    }
    case TClosenessAlgorithm::sabre:
      classes.partition = sabre(space, attributes.front(), k, ticker);
      repair(space, closeness, &classes, ticker);
      break;
    case TClosenessAlgorithm::best:
      classes = best_of(space, attributes, options, ticker);
      break;
  }
  classes.single_class = classes.partition.classes == 1;
  return classes;
}

}  // namespace anonkit
