#pragma once

// Small random spaces of the shapes that break algorithms: ties, duplicates, lines, outliers.

#include <random>
#include <vector>

#include "data/space.hpp"

namespace anonkit {

enum class Shape { normal, grid, duplicates, collinear, clustered, outlier, constants, mixed };
constexpr int kShapes = 8;

class RandomSpaces {
 public:
  explicit RandomSpaces(std::uint64_t seed) : random_(seed) {}

  /// A number from low to high.
  int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

  Space make(Shape shape, int n, int d) {
    std::vector<Attribute> attributes(static_cast<std::size_t>(d));
    std::vector<double> values(static_cast<std::size_t>(n * d));
    if (shape == Shape::mixed) choose_kinds(attributes);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < d; ++j)
        values[static_cast<std::size_t>(i * d + j)] =
            value(shape, i, j, attributes[static_cast<std::size_t>(j)]);
    if (shape == Shape::duplicates) repeat_rows(values, n, d);
    return Space(std::move(values), std::move(attributes));
  }

 private:
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  double bell() { return uniform() + uniform() + uniform() + uniform() - 2; }

  void choose_kinds(std::vector<Attribute>& attributes) {
    for (Attribute& attribute : attributes) {
      attribute.kind = static_cast<Kind>(between(0, 2));
      attribute.categories = between(1, 6);
      attribute.weight = between(0, 4) * 0.3;
    }
  }

  double value(Shape shape, int i, int j, const Attribute& attribute) {
    if (attribute.kind != Kind::numeric) return between(0, attribute.categories - 1);
    switch (shape) {
      case Shape::grid:
      case Shape::duplicates:
      case Shape::mixed:
        return between(0, 3);
      case Shape::collinear:
        return (i * 7 % 31) * (j + 1) * 0.1;
      case Shape::clustered:
        return 100 * (i % 5) * (j % 2 == 0 ? 1 : -1) + bell();
      case Shape::outlier:
        return i == 0 ? 1e9 : bell();
      case Shape::constants:
        return j % 2 == 0 ? 3 : bell();
      default:
        return bell();
    }
  }

  void repeat_rows(std::vector<double>& values, int n, int d) {
    for (int i = 1; i < n; ++i) {
      if (between(0, 2) == 0) continue;
      const int from = between(0, i - 1);
      for (int j = 0; j < d; ++j)
        values[static_cast<std::size_t>(i * d + j)] =
            values[static_cast<std::size_t>(from * d + j)];
    }
  }

  std::mt19937_64 random_;
};

}  // namespace anonkit
