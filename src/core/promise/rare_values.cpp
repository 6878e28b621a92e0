#include "promise/rare_values.hpp"

#include <algorithm>

#include "base/at.hpp"
#include "base/error.hpp"
#include "base/tolerance.hpp"
#include "promise/promise.hpp"

namespace anonkit {
namespace {

/// The counts of the records that define rarity. A part of a table need not have every rank.
std::vector<Emd::Run> all_values(const SensitiveAttribute& attribute) {
  std::vector<Emd::Run> runs;
  const std::vector<std::int64_t> counts = counts_of_table(attribute);
  for (std::size_t rank = 0; rank < counts.size(); ++rank)
    if (counts[rank] > 0)
      runs.push_back({static_cast<std::int32_t>(rank), static_cast<std::int32_t>(counts[rank])});
  return runs;
}

ClassModel model_of_kpqr_anonymity(const SensitiveAttribute& attribute, const Promises& promises) {
  if (!attribute.lifted.empty())
    throw Error(ErrorKind::invalid_parameter,
                "(k,p,q,r)-anonymity cannot be combined with protected values");
  return RareValues(attribute, promises);
}

/// In the place of p-sensitivity: p is a parameter of this model beside q.
constexpr Promise row_of_kpqr_anonymity() {
  Promise row;
  row.name = "(k,p,q,r)-anonymity";
  row.kind = kPromiseKpqr;
  row.parameters[0] = {"q", ParameterDomain::above_0_to_1, nullptr, &Promises::q};
  row.parameters[1] = {"r", ParameterDomain::from_0_to_1, nullptr, &Promises::r};
  row.parameters[2] = {"variance_of", ParameterDomain::variance_of};
  row.levels[0] = {"(k,p,q,r)-anonymity: p",
                   [](const Promises& p, std::size_t) -> double { return p.p; },
                   "(k,p,q,r)-anonymous with p = %g"};
  row.levels[1] = {"(k,p,q,r)-anonymity: r", [](const Promises& p, std::size_t) { return p.r; },
                   "(k,p,q,r)-anonymous with r = %g"};
  row.levels[2] = {"extended p-sensitivity", row.levels[0].promised, "extended %g-sensitive"};
  row.is_made = [](const Promises& p) { return p.kpqr(); };
  row.lacks = [](const Promises& p) { return p.q > 0 ? nullptr : "q beside r"; };
  row.order = ValueOrder::always;
  row.relative = true;
  row.monotone = row.of_persons = false;
  row.not_transparent = "Which values are rare depends on the whole table.";
  row.model = model_of_kpqr_anonymity;
  return row;
}

}  // namespace

constexpr Promise kKpqrAnonymity = row_of_kpqr_anonymity();

RareValues::RareValues(const SensitiveAttribute& attribute, const Promises& promises)
    : nominal_(attribute.numbers.empty() && attribute.distance != GroundDistance::ordered),
      numbers_(attribute.numbers),
      p_(promises.p),
      r_(promises.r) {
  std::vector<Emd::Run> all = all_values(attribute);
  double n = 0;
  for (const Emd::Run& run : all) n += run.count;
  for (const Emd::Run& run : all) {
    rare_.resize(at(run.rank) + 1);
    rare_.back() = run.count / n < promises.q;
  }
  if (numbers_.empty() && !nominal_)
    for (std::size_t rank = 0; rank < rare_.size(); ++rank)
      numbers_.push_back(static_cast<double>(rank));
  if (promises.variance_of == VarianceOf::rare)
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const Emd::Run& run) { return !rare(run.rank); }),
              all.end());
  reference_ = variance({all.data(), all.data() + all.size()});
}

bool RareValues::operator()(const Emd::Runs& runs, std::int32_t) const {
  if (std::none_of(runs.begin(), runs.end(), [&](const Emd::Run& run) { return rare(run.rank); }))
    return true;
  if (distinct(runs) < p_) return false;
  if (r_ <= 0 || !(reference_ > 0)) return true;
  return rounded_level(variance(runs) / reference_) >= r_;
}

double RareValues::variance(const Emd::Runs& runs) const {
  double size = 0, sum = 0;
  if (nominal_) {
    double alike = 0;
    for (const Emd::Run& run : runs) {
      size += run.count;
      alike += static_cast<double>(run.count) * run.count;
    }
    sum = (size * size - alike) / (2 * size);
  } else {
    Emd::Runs known = runs;  // null, the rank after the last number, is the last
    if (known.first != known.last && at((known.last - 1)->rank) >= numbers_.size()) --known.last;
    double mean = 0;
    for (const Emd::Run& run : known) {
      size += run.count;
      mean += run.count * numbers_[at(run.rank)];
    }
    mean /= size;
    for (const Emd::Run& run : known) {
      const double difference = numbers_[at(run.rank)] - mean;
      sum += run.count * (difference * difference);
    }
  }
  return size > 1 ? sum / (size - 1) : 0;
}

}  // namespace anonkit
