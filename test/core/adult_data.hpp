#pragma once

// Adult as the paper on EnhancedPKClustering uses it: six quasi-identifiers, three sensitive
// attributes.

#include "pk_data.hpp"
#include "reference_data.hpp"
#include "search/random.hpp"
#include "without_ticker.hpp"

namespace anonkit {

inline const std::vector<std::string>& adult_columns() {
  static const std::vector<std::string> names = {"age",           "workclass", "marital_status",
                                                 "race",          "sex",       "native_country",
                                                 "education_num", "education", "occupation"};
  return names;
}
constexpr std::size_t kAdultQuasiIdentifiers = 6;

/// The texts of those columns; empty if the file is missing.
inline std::vector<std::vector<std::string>> adult_records() {
  std::ifstream in(reference_file("adult.csv"));
  std::string line;
  std::vector<std::vector<std::string>> records;
  if (!std::getline(in, line)) return records;
  const std::vector<std::string> header = csv_fields(line);
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = csv_fields(line);
    records.emplace_back();
    for (const std::string& name : adult_columns())
      records.back().push_back(fields.at(static_cast<std::size_t>(
          std::find(header.begin(), header.end(), name) - header.begin())));
  }
  return records;
}

/// `n` records drawn without replacement by a seeded generator; all, if there are no more.
inline std::vector<std::vector<std::string>> sample(std::vector<std::vector<std::string>> records,
                                                    std::size_t n, std::uint64_t seed) {
  Random random(seed);
  n = std::min(n, records.size());
  for (std::size_t i = 0; i < n; ++i)
    std::swap(records[i],
              records[i + random.below(static_cast<std::uint32_t>(records.size() - i))]);
  records.resize(n);
  return records;
}

inline std::vector<std::int32_t> text_codes(const std::vector<std::vector<std::string>>& records,
                                            std::size_t column) {
  std::vector<std::string> texts;
  for (const auto& record : records) texts.push_back(record[column]);
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  std::vector<std::int32_t> codes;
  for (const auto& record : records)
    codes.push_back(static_cast<std::int32_t>(
        std::lower_bound(texts.begin(), texts.end(), record[column]) - texts.begin()));
  return codes;
}

inline PkData adult_data(const std::vector<std::vector<std::string>>& records) {
  PkData data;
  data.values.resize(records.size() * kAdultQuasiIdentifiers);
  for (std::size_t j = 0; j < kAdultQuasiIdentifiers; ++j) {
    const std::vector<std::int32_t> codes = text_codes(records, j);
    Attribute attribute;
    attribute.kind = j == 0 ? Kind::numeric : Kind::nominal;
    if (j > 0) attribute.categories = *std::max_element(codes.begin(), codes.end()) + 1;
    data.columns.push_back({adult_columns()[j], attribute, {}});
    for (std::size_t i = 0; i < records.size(); ++i)
      data.values[i * kAdultQuasiIdentifiers + j] = j == 0 ? std::stod(records[i][0]) : codes[i];
  }
  data.rows.resize(records.size());
  const Table unordered = data.table();
  data.rows = canonical_order(unordered);
  for (std::size_t a = kAdultQuasiIdentifiers; a < adult_columns().size(); ++a) {
    const std::vector<std::int32_t> codes = text_codes(records, a);
    data.confidential.emplace_back();
    for (const Record row : data.rows)
      data.confidential.back().ranks.push_back(codes[static_cast<std::size_t>(row)]);
    data.sensitive_names.push_back(adult_columns()[a]);
  }
  return data;
}

}  // namespace anonkit
