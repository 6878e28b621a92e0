#include "space/centroid.hpp"

namespace anonkit {

Centroid::Centroid(const Space& space)
    : space_(&space),
      sums_(static_cast<std::size_t>(space.dimension()), 0),
      tallies_(static_cast<std::size_t>(space.dimension())) {
  for (int j = 0; j < space.dimension(); ++j) {
    const Attribute& attribute = space.attribute(j);
    if (attribute.kind != Kind::numeric)
      tallies_[static_cast<std::size_t>(j)] =
          Tally(attribute.categories,
                attribute.kind == Kind::ordinal ? Tally::Of::median : Tally::Of::mode);
  }
}

void Centroid::count(const double* row, Record records) {
  size_ += records;
  if (space_->numeric()) {
    for (std::size_t j = 0; j < sums_.size(); ++j)
      sums_[j] += Sum{records} *
                  static_cast<std::int64_t>(row[j] * space_->steps_per_unit(static_cast<int>(j)));
    return;
  }
  for (int j = 0; j < space_->dimension(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    switch (space_->attribute(j).kind) {
      case Kind::numeric:
        sums_[at] += Sum{records} * static_cast<std::int64_t>(row[j] * space_->steps_per_unit(j));
        break;
      case Kind::ordinal:
        tallies_[at].add(space_->rank(row[j], j), records);
        break;
      case Kind::nominal:
        tallies_[at].add(static_cast<std::int32_t>(row[j]), records);
        break;
    }
  }
}

void Centroid::point(double* out) const {
  for (int j = 0; j < space_->dimension(); ++j) {
    switch (space_->attribute(j).kind) {
      case Kind::numeric:
        out[j] = mean(j);
        break;
      case Kind::ordinal:
        out[j] = median(j);
        break;
      case Kind::nominal:
        out[j] = mode(j);
        break;
    }
  }
}

double Centroid::mean(int j) const {
  return static_cast<double>(sums_[static_cast<std::size_t>(j)]) / size_ * space_->grid(j);
}

double Centroid::median(int j) const {
  const Record half = (size_ + 1) / 2;
  return tallies_[static_cast<std::size_t>(j)].code_of_record(half) * space_->rank_step(j);
}

double Centroid::mode(int j) const {
  return tallies_[static_cast<std::size_t>(j)].most_frequent();
}

}  // namespace anonkit
