#pragma once

// PostgreSQL's headers, for src/pg only. Include this after the standard library and the core,
// because the server's headers define macros that break both.
//
// PostgreSQL's headers include system headers, and rename printf and its relatives. Affected
// standard headers come first here. So extern "C" encloses no template, and no name in a template
// changes.
//
//   #include <vector>             // 1. the standard library
//   #include "pipeline.hpp"       // 2. the core
//   #include "pg/backend/pg.hpp"  // 3. the server

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include <math.h>
#include <stdlib.h>

// ICU exposes its C++ classes if a C++ compiler includes its C headers.
#ifndef U_SHOW_CPLUSPLUS_API
#define U_SHOW_CPLUSPLUS_API 0
#endif

extern "C" {
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "access/tupdesc.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "executor/tuptable.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "storage/itemptr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/numeric.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"
#include "utils/tuplesort.h"
#include "utils/tuplestore.h"
#include "utils/typcache.h"
#include "utils/wait_event.h"

#include "pg/backend/compat.hpp"
}

#undef Min
#undef Max
#undef Abs

// Marks the errors of this module, which hold no value of a table. An error of anybody else may.
#undef TEXTDOMAIN
#define TEXTDOMAIN "anonkit"
