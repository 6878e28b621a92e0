#pragma once

#include "pg/over_time/view_query.hpp"
#include "pg/release/figures.hpp"

namespace anonkit::pg {

/// The work of anon_refresh for a release of any kind, with its arguments, in an SPI session.
Figures refresh_release(FunctionCallInfo fcinfo);

/// read_over_time; an error if somebody renamed columns of the places.
bool is_over_time(Oid relation, OverTimeQuery& release);

}  // namespace anonkit::pg
