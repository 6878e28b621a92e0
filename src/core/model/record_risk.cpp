#include "model/record_risk.hpp"

#include "model/counts.hpp"

namespace anonkit {
namespace {

/// The records of each class.
std::vector<std::int64_t> records_by_class(const ClassHistogram& histogram) {
  std::vector<std::int64_t> records(static_cast<std::size_t>(histogram.classes()), 0);
  if (!histogram.has_units())
    for (std::size_t c = 0; c < records.size(); ++c)
      records[c] = histogram.class_size(static_cast<std::int32_t>(c));
  for (const std::int32_t c : histogram.class_of()) ++records[static_cast<std::size_t>(c)];
  return records;
}

/// The mean of `of_risk(risk of a class)` over all records.
template <class OfRisk>
Level mean_of(const ClassHistogram& histogram, Ticker& ticker, OfRisk of_risk) {
  const std::vector<std::int64_t> records = records_by_class(histogram);
  double sum = 0;
  std::int64_t all = 0;
  for (std::size_t c = 0; c < records.size(); ++c) {
    ticker.step(8);
    const std::int32_t members = histogram.class_size(static_cast<std::int32_t>(c));
    sum += of_risk(static_cast<double>(records[c]), members);
    all += records[c];
  }
  return {sum / static_cast<double>(all), k_anonymity(histogram, ticker).worst_class};
}

}  // namespace

Level mean_risk(const ClassHistogram& histogram, Ticker& ticker) {
  return mean_of(histogram, ticker,
                 [](double records, std::int32_t members) { return records / members; });
}

Level records_at_risk(const ClassHistogram& histogram, double threshold, Ticker& ticker) {
  return mean_of(histogram, ticker, [&](double records, std::int32_t members) {
    return 1.0 / members > threshold ? records : 0;
  });
}

}  // namespace anonkit
