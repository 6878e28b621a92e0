#include "space/block_cuts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/random.hpp"

namespace anonkit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
SilentTicker silent;

/// Records of one of several shapes: lattices with many ties, lines, outliers, far-away values.
std::vector<std::vector<double>> random_records(Random& random, std::size_t n, std::size_t d) {
  const std::uint32_t shape = random.below(5);
  const double values = 1 + random.below(9);
  std::vector<std::vector<double>> records(n, std::vector<double>(d));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      const double uniform = random.below(1 << 30) * 0x1p-30;
      double& x = records[i][j];
      if (shape == 0) x = std::floor(uniform * values);
      if (shape == 1) x = uniform + (i % 3 == 0 ? 10 : 0);
      if (shape == 2) x = j == 0 ? uniform : records[i][0] * static_cast<double>(j) - 1;
      if (shape == 3) x = i == 0 ? 1e308 : uniform < 0.5 ? -1e308 : uniform;
      if (shape == 4) x = 1e9 + (uniform < 0.6 ? 0 : uniform);
    }
  return records;
}

CountedPoints points_of(const std::vector<std::vector<double>>& records) {
  PointSample sample(records.front().size(), records.size(), 0);
  for (const auto& record : records) sample.add(record.data());
  return sample.take();
}

// ---- a plain reference, from the definition
// ------------------------------------------------------

/// The box of a node: points from `low`, below `high`.
struct Box {
  std::vector<double> low, high;
  bool holds(const double* point) const {
    for (std::size_t j = 0; j < low.size(); ++j)
      if (!(point[j] >= low[j] && point[j] < high[j])) return false;
    return true;
  }
};

struct Node {
  Box box;
  BlockNode node;
};

/// Every node of the tree, parents first.
std::vector<Node> nodes_of(const BlockCuts& blocks, std::size_t d) {
  std::vector<Node> nodes = {
      {{std::vector<double>(d, -kInfinity), std::vector<double>(d, kInfinity)}, blocks.root}};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].node > 0) continue;
    const BlockCut& cut = blocks.cuts.at(static_cast<std::size_t>(~nodes[i].node));
    const auto j = static_cast<std::size_t>(cut.column);
    Box below = nodes[i].box, above = nodes[i].box;
    below.high[j] = above.low[j] = cut.at;
    nodes.push_back({below, cut.below});
    nodes.push_back({above, cut.above});
  }
  return nodes;
}

std::int64_t records_in(const CountedPoints& points, const Box& box) {
  std::int64_t records = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (box.holds(points.point(i))) records += points.counts[i];
  return records;
}

/// The numbers of records below each admissible cut of a box along a column.
std::vector<double> admissible(const CountedPoints& points, const Box& box, std::size_t j,
                               double share) {
  std::vector<double> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!box.holds(points.point(i))) continue;
    Box below = box;
    below.high[j] = points.point(i)[j];
    const auto first = static_cast<double>(records_in(points, below));
    const double rest = static_cast<double>(records_in(points, box)) - first;
    if (first > 0 && first >= share / 2 && rest >= share / 2) found.push_back(first);
  }
  return found;
}

/// The variance of a column's values in a box, as long doubles, which hold the squares of 1e308.
long double variance(const CountedPoints& points, const Box& box, std::size_t j) {
  long double sum = 0, squares = 0, records = 0;
  const auto over = [&](const std::function<void(long double, long double)>& add) {
    for (std::size_t i = 0; i < points.size(); ++i)
      if (box.holds(points.point(i)))
        add(points.point(i)[j], static_cast<long double>(points.counts[i]));
  };
  over([&](long double x, long double count) { sum += x * count, records += count; });
  over([&](long double x, long double count) {
    squares += (x - sum / records) * (x - sum / records) * count;
  });
  return squares / records;
}

void expect_right_cut(const CountedPoints& points, const Node& node, const BlockCut& cut,
                      const Box& everything, double share, std::size_t of_categories) {
  const auto records = static_cast<double>(records_in(points, node.box));
  const auto blocks = std::llround(records / share);
  const double middle = records * static_cast<double>(blocks / 2) / static_cast<double>(blocks);
  const auto chosen = static_cast<std::size_t>(cut.column);
  const auto width = [&](std::size_t j) {
    const long double of_all = variance(points, everything, j);
    return of_all > 0 ? variance(points, node.box, j) / of_all : 0;
  };
  for (std::size_t j = 0; j < points.dimension; ++j)
    if (!admissible(points, node.box, j, share).empty()) {
      EXPECT_TRUE(chosen < of_categories || j >= of_categories);
      if ((j < of_categories) != (chosen < of_categories)) continue;
      EXPECT_LE(width(j), width(chosen) * (1 + 1e-9L) + 1e-15L);
    }
  Box below = node.box;
  below.high[chosen] = cut.at;
  const double away = std::fabs(static_cast<double>(records_in(points, below)) - middle);
  for (const double other : admissible(points, node.box, chosen, share))
    EXPECT_GE(std::fabs(other - middle), away);
}

TEST(BlockCuts, CutTheWidestColumnThatCanBeCutNearestToItsMiddleCategoriesFirst) {
  Random random(1);
  int cut = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::size_t d = 1 + random.below(3);
    const CountedPoints points = points_of(random_records(random, 1 + random.below(40), d));
    const std::int64_t wanted = 1 + random.below(9);
    const std::size_t of_categories = round % 2 == 0 ? 0 : random.below(d + 1);
    const BlockCuts blocks = learn_blocks(points, wanted, silent, of_categories);
    const std::vector<Node> nodes = nodes_of(blocks, d);
    const double share =
        static_cast<double>(records_in(points, nodes[0].box)) / static_cast<double>(wanted);
    for (const Node& node : nodes) {
      const auto records = static_cast<double>(records_in(points, node.box));
      EXPECT_GE(records, share / 2 * (1 - 1e-12));
      if (node.node < 0) {
        expect_right_cut(points, node, blocks.cuts.at(static_cast<std::size_t>(~node.node)),
                         nodes[0].box, share, of_categories);
        ++cut;
      } else if (records > 1.5 * share) {
        for (std::size_t j = 0; j < d; ++j)
          EXPECT_TRUE(admissible(points, node.box, j, share).empty());
      }
    }
  }
  EXPECT_GT(cut, 700);
}

TEST(BlockCuts, PutEveryPointIntoExactlyOneBlock) {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    const std::size_t d = 1 + random.below(4);
    const BlockCuts blocks = learn_blocks(
        points_of(random_records(random, 1 + random.below(60), d)), 1 + random.below(20), silent);
    std::vector<Box> boxes(static_cast<std::size_t>(blocks.count));
    std::int32_t leaves = 0;
    for (const Node& node : nodes_of(blocks, d))
      if (node.node > 0) boxes.at(static_cast<std::size_t>(node.node - 1)) = node.box, ++leaves;
    EXPECT_EQ(leaves, blocks.count);
    for (const auto& other : random_records(random, 30, d)) {
      const std::int32_t block = block_of(blocks.cuts.data(), blocks.root, other.data());
      for (std::int32_t b = 1; b <= blocks.count; ++b)
        EXPECT_EQ(boxes[static_cast<std::size_t>(b - 1)].holds(other.data()), b == block);
    }
  }
}

TEST(BlockCuts, AreOfEqualSizeWithoutTies) {
  Random random(3);
  std::vector<std::vector<double>> records(10000, std::vector<double>(3));
  for (auto& record : records)
    for (double& x : record) x = random.below(1U << 31);
  const CountedPoints points = points_of(records);
  for (const std::int64_t wanted : {1, 2, 3, 7, 16, 100, 1000}) {
    const BlockCuts blocks = learn_blocks(points, wanted, silent);
    EXPECT_EQ(blocks.count, wanted);
    std::vector<double> sizes(static_cast<std::size_t>(wanted));
    for (const auto& record : records)
      ++sizes.at(
          static_cast<std::size_t>(block_of(blocks.cuts.data(), blocks.root, record.data()) - 1));
    const double share = 10000 / static_cast<double>(wanted);
    for (const double size : sizes) EXPECT_NEAR(size, share, 1 + share / 100);
  }
}

TEST(BlockCuts, DoNotDependOnTheOriginOfAColumn) {
  Random random(4);
  constexpr double kFar = 0x1p52;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::vector<double>> records(40, std::vector<double>(2));
    for (auto& record : records)
      for (double& x : record) x = 2 * random.below(50);
    const BlockCuts near = learn_blocks(points_of(records), 8, silent);
    auto far_records = records;
    for (auto& record : far_records) record[0] += kFar;
    const BlockCuts far = learn_blocks(points_of(far_records), 8, silent);
    for (std::size_t i = 0; i < records.size(); ++i)
      ASSERT_EQ(block_of(near.cuts.data(), near.root, records[i].data()),
                block_of(far.cuts.data(), far.root, far_records[i].data()));
  }
}

TEST(BlockCuts, LeaveEqualRecordsTogether) {
  const CountedPoints points = points_of(std::vector<std::vector<double>>(50, {3, 4}));
  EXPECT_EQ(learn_blocks(points, 10, silent).count, 1);
}

TEST(BlockCuts, TakeWhatIsNoFiniteNumberInPostgresOrder) {
  const BlockCuts blocks =
      learn_blocks(points_of({{1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}}), 4, silent);
  ASSERT_EQ(blocks.count, 4);
  const auto block = [&](double x) { return block_of(blocks.cuts.data(), blocks.root, &x); };
  EXPECT_EQ(block(-kInfinity), 1);
  EXPECT_EQ(block(-1e300), 1);
  EXPECT_EQ(block(4), 2);
  EXPECT_EQ(block(5), 3);
  EXPECT_EQ(block(kInfinity), 4);
  EXPECT_EQ(block(std::numeric_limits<double>::quiet_NaN()), 4);
}

TEST(BlockCuts, OfNoPointsAreOneBlock) {
  EXPECT_EQ(learn_blocks({}, 8, silent).count, 1);
}

TEST(BlockCuts, NumbersFarFromZeroAreCutAlike) {
  Random random(17);
  for (int round = 0; round < 40; ++round) {
    std::vector<std::vector<double>> near(80, std::vector<double>(3)), far;
    for (auto& record : near)
      for (double& x : record) x = random.below(20);
    far = near;
    for (auto& record : far)
      for (double& x : record) x += 0x1p51;
    const BlockCuts a = learn_blocks(points_of(near), 12, silent);
    const BlockCuts b = learn_blocks(points_of(far), 12, silent);
    ASSERT_EQ(a.cuts.size(), b.cuts.size());
    for (std::size_t cut = 0; cut < a.cuts.size(); ++cut) {
      EXPECT_EQ(a.cuts[cut].column, b.cuts[cut].column);
      EXPECT_EQ(a.cuts[cut].at + 0x1p51, b.cuts[cut].at);
    }
  }
}

}  // namespace
}  // namespace anonkit
