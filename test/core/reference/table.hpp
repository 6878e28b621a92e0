#pragma once

// Reference data with categories and ARX's hierarchies as tables of the core; reference_data.hpp
// names their folder.

#include <algorithm>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "fixture/random_table.hpp"
#include "fixture/reference_data.hpp"

namespace anonkit {

using Texts = std::vector<std::vector<std::string>>;

/// The lines of a file, split at a separator; empty if the file is missing.
inline Texts read_texts(const std::string& file, char separator) {
  std::ifstream in(reference_file(file));
  Texts lines;
  for (std::string line; std::getline(in, line);) {
    lines.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, separator);) lines.back().push_back(field);
  }
  return lines;
}

/// A hierarchy in ARX's format: one line per value, followed by its groups level by level.
struct ReadHierarchy {
  std::vector<std::string> values;
  std::unique_ptr<Hierarchy> hierarchy;
};

inline ReadHierarchy read_hierarchy(const std::string& file) {
  ReadHierarchy read;
  const Texts lines = read_texts(file, ';');
  if (lines.empty()) return read;
  std::vector<std::vector<std::int32_t>> levels(lines.front().size() - 1);
  std::vector<std::map<std::string, std::int32_t>> groups(levels.size());
  for (const auto& line : lines) {
    read.values.push_back(line.front());
    for (std::size_t l = 0; l < levels.size(); ++l)
      levels[l].push_back(groups[l]
                              .emplace(line[l + 1], static_cast<std::int32_t>(groups[l].size()))
                              .first->second);
  }
  read.hierarchy = std::make_unique<Hierarchy>(std::move(levels));
  return read;
}

/// A table whose categories are ordered numbers, by the order of the texts, and its hierarchies.
struct ReferenceTable {
  OwnedTable table;
  std::deque<ReadHierarchy> hierarchies;
  std::deque<std::vector<std::int32_t>> leaves;

  bool empty() const { return table.values.empty(); }
};

/// The named columns of a file's first records (all if 0), without records that have a '?'.
/// `numbers` names the numeric columns. With `with_hierarchies`, each column X gets
/// hierarchies/adult_X.csv. Rows are in canonical order.
inline ReferenceTable read_table(const std::string& file, char separator,
                                 const std::vector<std::string>& columns,
                                 const std::vector<std::string>& numbers, std::size_t first = 0,
                                 bool with_hierarchies = false) {
  ReferenceTable result;
  Texts lines = read_texts(file, separator);
  if (lines.empty()) return result;
  const std::vector<std::string> header = lines.front();
  lines.erase(lines.begin());
  if (first > 0) lines.resize(std::min(first, lines.size()));
  Texts kept;
  for (const auto& line : lines)
    if (std::find(line.begin(), line.end(), "?") == line.end()) kept.push_back(line);
  const std::size_t d = columns.size();
  std::vector<std::vector<double>> records(kept.size(), std::vector<double>(d));
  Texts texts(d);
  for (std::size_t j = 0; j < d; ++j) {
    const auto at = static_cast<std::size_t>(std::find(header.begin(), header.end(), columns[j]) -
                                             header.begin());
    const bool number = std::find(numbers.begin(), numbers.end(), columns[j]) != numbers.end();
    for (const auto& line : kept) texts[j].push_back(line.at(at));
    std::sort(texts[j].begin(), texts[j].end());
    texts[j].erase(std::unique(texts[j].begin(), texts[j].end()), texts[j].end());
    for (std::size_t i = 0; i < kept.size(); ++i)
      records[i][j] = number ? std::stod(kept[i][at])
                             : static_cast<double>(
                                   std::lower_bound(texts[j].begin(), texts[j].end(), kept[i][at]) -
                                   texts[j].begin());
    Attribute attribute;
    if (!number) attribute = {Kind::ordinal, 1, static_cast<std::int32_t>(texts[j].size())};
    result.table.columns.push_back({columns[j], attribute, {}});
  }
  std::sort(records.begin(), records.end());
  for (const auto& record : records)
    result.table.values.insert(result.table.values.end(), record.begin(), record.end());
  if (!with_hierarchies) return result;
  for (std::size_t j = 0; j < d; ++j) {
    std::string name = columns[j];
    std::replace(name.begin(), name.end(), '-', '_');
    result.hierarchies.push_back(read_hierarchy("hierarchies/adult_" + name + ".csv"));
    const ReadHierarchy& read = result.hierarchies.back();
    Column& column = result.table.columns[j];
    result.leaves.emplace_back();
    for (const auto& record : records) {
      const std::string text = column.attribute.kind == Kind::numeric
                                   ? std::to_string(static_cast<int>(record[j]))
                                   : texts[j][static_cast<std::size_t>(record[j])];
      result.leaves.back().push_back(static_cast<std::int32_t>(
          std::find(read.values.begin(), read.values.end(), text) - read.values.begin()));
    }
    column.hierarchy = read.hierarchy.get();
    column.leaves = result.leaves.back().data();
  }
  return result;
}

}  // namespace anonkit
