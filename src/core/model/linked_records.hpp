#pragma once

// The records of persons in related tables, as a reader of those tables sees them.
//
// The tables are a tree by their keys, whose root has one row a person. The record of a person is
// the tree of all rows below that person's row. A fact about a person is the label of the root row,
// and at most m other rows with their labels and links: which of them have which ancestors in
// common. Its image in published tables is a pattern; a person supports a pattern whose rows can be
// found in the person's record, different rows on different ones.
//
// Invariant: a parent is numbered before its children, among tables and among the rows of a record.
//
//   std::vector<JudgedTable> tables = {{3, -1}, {4, 0}};  // persons, and their visits
//   tables[1].parent_row = tables[1].person_row = visitors;
//   tables[1].label = classes_of_visits;

#include <array>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "base/ticker.hpp"

namespace anonkit {

/// A sensitive column of one of the tables.
struct JudgedValues {
  const std::int32_t* codes;  ///< one per row
  std::int32_t distinct;
  /// True if only protected values count. Others have negative codes.
  bool only_protected = false;
};

/// One of the related tables. The caller owns the arrays.
struct JudgedTable {
  std::int32_t rows = 0;
  std::int32_t parent = -1;  ///< the number of the table above, which is lower; -1 for the root
  /// By row, its row in the parent; -1 if it hangs on the person itself. Null for the root.
  const std::int32_t* parent_row = nullptr;
  /// By row, the root's row above it. Null for the root.
  const std::int32_t* person_row = nullptr;
  /// By row, its class by the quasi-identifiers of the table; null if all rows are alike.
  const std::int32_t* label = nullptr;
  std::vector<JudgedValues> values = {};
};

/// A hash of 128 bits. Two of n patterns share one with a probability below n^2 / 2^128.
struct PatternKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool operator==(const PatternKey& other) const { return high == other.high && low == other.low; }
  bool operator<(const PatternKey& other) const {
    return high != other.high ? high < other.high : low < other.low;
  }
};

/// A key that depends on both arguments and on their order.
inline PatternKey combined(const PatternKey& key, std::uint64_t number) {
  return {mix(key.high + mix(number + 0x9e3779b97f4a7c15U)),
          mix(key.low ^ mix(number ^ 0xbe5466cf34e90c6cU))};
}

/// How the rows of a pattern are known.
enum class Links : std::uint8_t {
  known,    ///< with their common ancestors
  unknown,  ///< as a heap of rows
};

/// A row of a record.
struct RecordNode {
  std::int32_t table;
  std::int32_t label;
  std::int32_t parent;  ///< its number in the record
};

/// The record of one person. The root is the node 0.
class LinkedRecord {
 public:
  explicit LinkedRecord(std::vector<RecordNode> nodes);

  /// The key of the entire record, by all labels and links.
  const PatternKey& whole() const { return whole_; }
  /// The key of the root's label and the number of rows in each table.
  PatternKey counts() const;
  /// Rows beside the root.
  std::int32_t rows() const { return static_cast<std::int32_t>(nodes_.size()) - 1; }
  const RecordNode& node(std::int32_t i) const { return nodes_[static_cast<std::size_t>(i)]; }

  /// The record with the same patterns of up to `most` rows and the fewest rows: of equal siblings,
  /// with all that hangs on them, no pattern can use more than `most`.
  LinkedRecord without_repetitions(int most) const;

  /// The most rows of a pattern.
  static constexpr int kMostRows = 4;
  /// The key of the pattern of these rows, ascending numbers without the root.
  PatternKey pattern(const std::int32_t* rows, int count, Links links) const;

 private:
  void form_keys();

  std::vector<RecordNode> nodes_;
  std::vector<PatternKey> own_;      ///< by node
  std::vector<PatternKey> any_;      ///< by node, with an unknown label
  std::vector<PatternKey> subtree_;  ///< by node, of all that hangs on it
  PatternKey whole_;
};

/// Builds the records of persons. Threads may build those of different persons at the same time.
/// O(rows) memory.
class RecordsOfPersons {
 public:
  /// Keeps a reference to the tables.
  RecordsOfPersons(const std::vector<JudgedTable>& tables, Ticker& ticker);

  std::int32_t persons() const { return static_cast<std::int32_t>(first_.size()) - 1; }
  LinkedRecord record(std::int32_t person);
  /// The rows of a person but the root's, as pairs of a table and a row.
  const std::array<std::int32_t, 2>* begin(std::int32_t person) const;
  const std::array<std::int32_t, 2>* end(std::int32_t person) const { return begin(person + 1); }

 private:
  const std::vector<JudgedTable>& tables_;
  std::vector<std::size_t> first_;                    ///< by person, into places_
  std::vector<std::array<std::int32_t, 2>> places_;   ///< table and row, without the root
  std::vector<std::vector<std::int32_t>> number_of_;  ///< by table and row, during record()
};

}  // namespace anonkit
