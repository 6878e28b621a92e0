#pragma once

// The reference data sets of the literature, read from the folder that ANONKIT_DATA names (default
// ../shared/data); they are not part of the project.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "data/space.hpp"

namespace anonkit {

inline std::string reference_file(const std::string& name) {
  const char* folder = std::getenv("ANONKIT_DATA");
  return std::string(folder != nullptr ? folder : "../shared/data") + "/" + name;
}

/// Commas between quotes belong to a field.
inline std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

/// The records of the named columns (all if none are named), as they stand in the file. Empty if
/// it is missing.
inline std::vector<std::vector<double>> read_in_file_order(const std::string& file,
                                                           std::vector<std::string> columns = {}) {
  std::ifstream in(reference_file(file));
  std::string line;
  std::vector<std::vector<double>> records;
  if (!std::getline(in, line)) return records;
  const std::vector<std::string> header = csv_fields(line);
  if (columns.empty()) columns = header;
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = csv_fields(line);
    std::vector<double> record;
    for (const std::string& column : columns)
      record.push_back(std::stod(fields.at(static_cast<std::size_t>(
          std::find(header.begin(), header.end(), column) - header.begin()))));
    records.push_back(record);
  }
  return records;
}

/// The same, ascending by value: canonical order.
inline std::vector<std::vector<double>> read_records(const std::string& file,
                                                     std::vector<std::string> columns = {}) {
  auto records = read_in_file_order(file, std::move(columns));
  std::sort(records.begin(), records.end());
  return records;
}

/// Columns standardised to mean 0 and sample standard deviation 1.
inline Space standardized(std::vector<std::vector<double>> records) {
  const std::size_t d = records.front().size();
  const auto n = static_cast<double>(records.size());
  std::vector<double> values;
  std::vector<double> mean(d), deviation(d);
  for (std::size_t j = 0; j < d; ++j) {
    for (const auto& record : records) mean[j] += record[j];
    mean[j] /= n;
    for (const auto& record : records) deviation[j] += std::pow(record[j] - mean[j], 2);
    deviation[j] = std::sqrt(deviation[j] / (n - 1));
  }
  for (const auto& record : records)
    for (std::size_t j = 0; j < d; ++j) values.push_back((record[j] - mean[j]) / deviation[j]);
  return Space(std::move(values), std::vector<Attribute>(d));
}

inline std::vector<std::string> eia_columns() {
  return {"UTILITYID", "RESREVENUE", "RESSALES",  "COMREVENUE", "COMSALES", "INDREVENUE",
          "INDSALES",  "OTHREVENUE", "OTHRSALES", "TOTREVENUE", "TOTSALES"};
}

}  // namespace anonkit
