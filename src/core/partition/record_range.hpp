#pragma once

#include "base/record.hpp"

namespace anonkit {

/// Consecutive positions in some order of records: begin .. end-1.
struct RecordRange {
  Record begin;
  Record end;
  Record size() const { return end - begin; }
};

}  // namespace anonkit
