#pragma once

#include "method/pkclustering/clusters.hpp"

namespace anonkit {

// The two algorithms on prepared records. Condition 1 holds, and there are at least k records.

std::vector<Cluster> enhanced_clusters(const Growth& growth, Record k, Ticker& ticker);
std::vector<Cluster> greedy_clusters(const Growth& growth, Record k, Ticker& ticker);

}  // namespace anonkit
