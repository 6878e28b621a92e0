#pragma once

#include <vector>

#include "model/joint_releases.hpp"
#include "model/models.hpp"

#include "pg/over_time/joint_reading.hpp"

namespace anonkit::pg {

/// A model of the joint classes, and of the classes of each release alone.
struct JointLevel {
  const Model* model;
  int attribute;  ///< kAnyAttribute: the classes alone
  double level;
  std::vector<double> alone;  ///< by release; NaN where it does not apply
};

/// All that several releases tell together of the rows that their sources have in common.
struct JointAudit {
  std::vector<JointLevel> levels;
  std::vector<RemainingValues> values;  ///< by attribute
  ByRelease class_of;                   ///< by release and record: its class, or kNowhere
  std::int64_t rows = 0;                ///< of the sources together
  std::int64_t common = 0;              ///< of them in all sources
};

/// The link that the releases' sources have: the named key; else the key of one of the releases;
/// else the one table's own rows; else a primary key. An error (invalid_parameter_value) without
/// one.
Link link_of(const JoinedRelease* releases, int count, const Names& key);

/// By release and record, the class or kNowhere, once all rows have been read. Linked rows are one
/// record. The memory context owns the result. Errors: a key that is not unique; no record that all
/// releases have in common.
const ByRelease& classes_of_records(JointRows& rows, int releases);

/// Reads and judges the releases. The memory context owns the result. Requires an SPI session.
const JointAudit& audit_jointly(const JoinedRelease* releases, int count, const Link& link,
                                JointRows& rows);

/// The level of k-anonymity among the levels.
const JointLevel& joint_k(const JointAudit& audit);

}  // namespace anonkit::pg
