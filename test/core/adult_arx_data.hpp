#pragma once

// adult_arx.csv and its hierarchies as a problem of full-domain generalisation: every attribute but
// occupation is a quasi-identifier. Not part of the project; see reference_data.hpp.

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "recode/lattice/full_domain.hpp"
#include "reference_data.hpp"

namespace anonkit {

inline std::vector<std::string> semicolon_fields(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ';');) fields.push_back(field);
  return fields;
}

/// A hierarchy file: one line a leaf, `value;level 1;..;*`.
struct HierarchyFile {
  std::map<std::string, std::int32_t> leaf;
  std::vector<std::vector<std::int32_t>> levels;
  Hierarchy hierarchy() const { return Hierarchy(levels); }
};

inline HierarchyFile read_hierarchy(const std::string& name) {
  std::ifstream in(reference_file("hierarchies/adult_" + name + ".csv"));
  HierarchyFile file;
  std::vector<std::map<std::string, std::int32_t>> groups;
  for (std::string line; std::getline(in, line);) {
    const auto fields = semicolon_fields(line);
    file.leaf.emplace(fields[0], static_cast<std::int32_t>(file.leaf.size()));
    groups.resize(fields.size() - 1);
    file.levels.resize(fields.size() - 1);
    for (std::size_t l = 0; l + 1 < fields.size(); ++l) {
      const auto next = static_cast<std::int32_t>(groups[l].size());
      file.levels[l].push_back(groups[l].emplace(fields[l + 1], next).first->second);
    }
  }
  return file;
}

struct AdultData {
  std::vector<std::unique_ptr<Hierarchy>> hierarchies;
  std::vector<std::vector<std::int32_t>> leaves;
  std::vector<std::int32_t> occupation;
  Taxonomy occupations;
  Record records = 0;

  bool missing() const { return records == 0; }

  FullDomainProblem problem(std::int32_t k, double max_suppression) const {
    FullDomainProblem problem;
    for (const auto& hierarchy : hierarchies) problem.hierarchies.push_back(hierarchy.get());
    for (const auto& column : leaves) problem.leaves.push_back(column.data());
    problem.records = records;
    problem.k = k;
    problem.max_suppression = max_suppression;
    return problem;
  }

  /// With occupation as the sensitive attribute.
  FullDomainProblem sensitive(std::int32_t k, double max_suppression,
                              GroundDistance distance = GroundDistance::nominal,
                              double t = 1) const {
    FullDomainProblem result = problem(k, max_suppression);
    Confidential attribute;
    attribute.ranks = occupation;
    attribute.distance = distance;
    attribute.t = t;
    attribute.taxonomy = occupations;
    result.sensitive.push_back(attribute);
    return result;
  }
};

inline AdultData read_adult() {
  AdultData data;
  std::ifstream in(reference_file("adult_arx.csv"));
  std::string line;
  if (!std::getline(in, line)) return data;
  const std::vector<std::string> names = {
      "sex",       "age",        "race",  "marital_status", "education", "native_country",
      "workclass", "occupation", "income"};
  std::vector<HierarchyFile> files;
  for (const std::string& name : names) files.push_back(read_hierarchy(name));
  data.leaves.resize(names.size() - 1);
  while (std::getline(in, line)) {
    const auto fields = semicolon_fields(line);
    for (std::size_t j = 0, q = 0; j < names.size(); ++j)
      (names[j] == "occupation" ? data.occupation : data.leaves[q++])
          .push_back(files[j].leaf.at(fields[j]));
    ++data.records;
  }
  for (std::size_t j = 0; j < names.size(); ++j)
    if (names[j] == "occupation")
      data.occupations = taxonomy_of(files[j].hierarchy());
    else
      data.hierarchies.push_back(std::make_unique<Hierarchy>(files[j].hierarchy()));
  return data;
}

}  // namespace anonkit
