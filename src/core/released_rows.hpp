#pragma once

#include <cstdint>
#include <vector>

#include "pipeline.hpp"

namespace anonkit {

/// The published rows of a release, sorted: cells, sets of categories and sensitive values. Two
/// source tables with equal rows are one to a reader.
class ReleasedRows {
 public:
  ReleasedRows(const Table& table, const Anonymized& result, Ticker& ticker);

  bool operator==(const ReleasedRows& other) const { return rows_ == other.rows_; }

 private:
  struct Row {
    std::vector<double> numbers;
    std::vector<std::vector<std::int32_t>> sets;

    bool operator<(const Row& other) const;
    bool operator==(const Row& other) const {
      return numbers == other.numbers && sets == other.sets;
    }
  };

  static Row row_of(const Table& table, const Anonymized& result, Record i, std::size_t cells);

  std::vector<Row> rows_;
};

/// True if the method makes this release of the table. Throws like anonymize, but a table without a
/// release has another one.
bool leads_to(const ReleasedRows& release, const Table& table, const Method& method,
              const Options& options, Ticker& ticker);

/// The bytes of the rows of a release.
std::int64_t released_bytes(const Table& table);

}  // namespace anonkit
