#pragma once

#include <cstdio>

#include "reference_data.hpp"

namespace anonkit {

/// The seven income columns of ato_sample_2010_2011.csv.gz, ascending by value; empty if the file
/// or gzip is missing. It stands for the paper's IPUMS.
inline std::vector<std::vector<double>> income_records() {
  std::vector<std::vector<double>> records;
  const std::string file = reference_file("ato_sample_2010_2011.csv.gz");
  if (!std::ifstream(file)) return records;
  FILE* in = popen(("gzip -dc '" + file + "'").c_str(), "r");
  if (in == nullptr) return records;
  char line[4096];
  std::vector<std::size_t> columns;
  while (std::fgets(line, sizeof line, in) != nullptr) {
    const std::vector<std::string> fields = csv_fields(line);
    if (columns.empty()) {
      for (const char* name : {"Tot_inc_amt", "Sw_amt", "Net_NPP_BI_amt", "Net_PP_BI_amt",
                               "Aust_govt_pnsn_allw_amt", "Grs_int_amt", "Other_inc_amt"})
        columns.push_back(static_cast<std::size_t>(std::find(fields.begin(), fields.end(), name) -
                                                   fields.begin()));
      continue;
    }
    std::vector<double> record;
    for (const std::size_t column : columns) record.push_back(std::stod(fields.at(column)));
    records.push_back(std::move(record));
  }
  pclose(in);
  std::sort(records.begin(), records.end());
  return records;
}

}  // namespace anonkit
