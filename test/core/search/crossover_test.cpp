#include "search/crossover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "fixture/random_space.hpp"
#include "metric/sse.hpp"
#include "search/loss/sse_loss.hpp"

namespace anonkit {
namespace {

std::set<std::vector<Record>> classes_of(const Partition& partition) {
  const Members members = members_of(partition);
  std::set<std::vector<Record>> classes;
  for (const RecordSpan of_class : members) classes.emplace(of_class.begin(), of_class.end());
  return classes;
}

/// Records in random order, in blocks of `parts`, each divided into small classes.
Partition random_partition(RandomSpaces& random, int parts, int part_size) {
  Partition partition;
  for (int part = 0; part < parts; ++part) {
    std::vector<int> order(static_cast<std::size_t>(part_size));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(random.between(0, int(i) - 1))]);
    const int classes = random.between(1, part_size / 2);
    for (const int place : order) partition.class_of.push_back(partition.classes + place % classes);
    partition.classes += classes;
  }
  return partition;
}

TEST(Crossover, TakesTheBetterClassesOfEachPart) {
  RandomSpaces random(31);
  for (int round = 0; round < 300; ++round) {
    const int parts = random.between(1, 5), part_size = random.between(2, 6);
    const Space space = random.make(Shape::normal, parts * part_size, 2);
    const SseLoss loss(space);
    const Partition a = random_partition(random, parts, part_size);
    const Partition b = random_partition(random, parts, part_size);
    const Partition best =
        crossover(a, b, [&](const RecordSpan& members) { return loss.cost(members); });
    std::set<std::vector<Record>> known = classes_of(a);
    known.merge(classes_of(b));
    for (const std::vector<Record>& one : classes_of(best)) EXPECT_EQ(known.count(one), 1U);
    // Components are blocks or unions of blocks: no exchange of an entire block improves the
    // result.
    double expected = 0;
    for (int part = 0; part < parts; ++part) {
      double least = -1;
      for (const Partition* one : {&a, &b}) {
        double of_part = 0;
        for (const std::vector<Record>& members : classes_of(*one))
          if (members.front() / part_size == part) of_part += loss.cost(RecordSpan(members));
        if (least < 0 || of_part < least) least = of_part;
      }
      expected += least;
    }
    EXPECT_LE(sse(space, best), expected * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace anonkit
