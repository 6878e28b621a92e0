// anon_lattice: the generalisations available to full-domain methods.

#include <cmath>

#include "pg/backend/backend_ticker.hpp"
#include "pg/backend/session.hpp"
#include "pg/release/run.hpp"
#include "pg/spec/arguments.hpp"

namespace anonkit::pg {
namespace {

using Nodes = std::vector<NodeFigures>;

const Nodes& nodes_of(const Source& source, const Spec& spec, const Loaded& loaded,
                      bool minimal_only) {
  BackendTicker ticker;
  return own_in_context(std::make_unique<Nodes>(lattice_of(
      table_of(source, spec, loaded), *spec.method, spec.options, minimal_only, ticker)));
}

Datum level_array(const Levels& levels) {
  const auto count = static_cast<int>(levels.size());
  Datum* elements = allocate<Datum>(count);
  for (int i = 0; i < count; ++i) elements[i] = Int32GetDatum(levels[static_cast<std::size_t>(i)]);
  return PointerGetDatum(
      construct_array(elements, count, INT4OID, sizeof(int32), true, TYPALIGN_INT));
}

void write_node(const NodeFigures& node, ReturnSetInfo* result) {
  Datum values[] = {level_array(node.levels),          BoolGetDatum(node.minimal),
                    BoolGetDatum(node.feasible),       Int64GetDatum(node.smallest),
                    Int64GetDatum(node.suppressed),    Int64GetDatum(node.classes),
                    Float8GetDatum(node.prec),         Float8GetDatum(static_cast<double>(node.dm)),
                    Float8GetDatum(100 * node.ncp),    Float8GetDatum(node.avg),
                    Float8GetDatum(100 * node.entropy)};
  bool nulls[sizeof values / sizeof values[0]] = {};
  nulls[9] = std::isinf(node.avg);
  tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

Datum lattice(FunctionCallInfo fcinfo) {
  const Oid relation = relation_argument(fcinfo);
  InitMaterializedSRF(fcinfo, 0);
  require_arguments(fcinfo, {"frontier"});
  const Session session = open_session();
  const Spec spec = read_spec(spec_of_release(fcinfo, "incognito"));
  const Source source = resolve_source(relation, spec);
  const Loaded loaded = read_source(source, spec, Spool::fingerprints);
  const Nodes& nodes = nodes_of(source, spec, loaded, truth_argument(fcinfo, "frontier"));
  for (const NodeFigures& node : nodes) {
    CHECK_FOR_INTERRUPTS();
    write_node(node, reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo));
  }
  close_session(session);
  return static_cast<Datum>(0);
}

}  // namespace
}  // namespace anonkit::pg

ANONKIT_FUNCTION(anon_lattice) {
  return anonkit::pg::lattice(fcinfo);
}
