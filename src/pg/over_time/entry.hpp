#pragma once

#include "pg/release/figures.hpp"

namespace anonkit::pg {

/// The work of anon_refresh for a release of any kind, with its arguments, in an SPI session.
Figures refresh_release(FunctionCallInfo fcinfo);

}  // namespace anonkit::pg
