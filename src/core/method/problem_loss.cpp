#include "method/problem_loss.hpp"

#include "method/mondrian/mondrian_method.hpp"
#include "search/loss/ncp_loss.hpp"
#include "search/loss/sse_loss.hpp"
#include "search/search.hpp"

namespace anonkit {
namespace {

// Work per record of a loss, in the ticker's units.
constexpr std::int64_t kWorkOfRecord = 30;

}  // namespace

ProblemLoss::ProblemLoss(const Problem& problem, Ticker& ticker) : ticker_(ticker) {
  if (!generalises(problem.options)) {
    loss_ = std::make_unique<SseLoss>(problem.space);
    return;
  }
  space_ = std::make_unique<GeneralisationSpace>(generalisation_space(
      problem.table, problem.rows, problem.columns, problem.options.recode, ticker));
  loss_ = std::make_unique<NcpLoss>(*space_);
}

double ProblemLoss::of_class(const RecordSpan& members) const {
  ticker_.step(kWorkOfRecord * members.size());
  return loss_->cost(members);
}

double ProblemLoss::total(const Partition& partition) const {
  return total_loss(*loss_, partition, ticker_);
}

}  // namespace anonkit
