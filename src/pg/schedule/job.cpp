#include "pg/schedule/job.hpp"

#include "pg/backend/attempt.hpp"
#include "pg/backend/companion.hpp"
#include "pg/backend/json_build.hpp"
#include "pg/backend/owners_work.hpp"
#include "pg/backend/session.hpp"
#include "pg/schedule/runs.hpp"
#include "pg/schedule/withdrawal.hpp"

extern "C" {
#include "storage/lmgr.h"
#include "tcop/pquery.h"
}

namespace anonkit::pg {
namespace {

/// A job while it runs. Plain data.
struct RunningJob {
  const Job* job;
  Oid companion;
  JobRun run;
  Progress progress;
};

/// The companion, made where there is none. The commit leaves no lock: the refresh must be the
/// first to lock the release.
Oid committed_companion(Oid release) {
  hold_relation(release);  // as a DROP, before the companion
  Oid companion = find_companion(release);
  if (!OidIsValid(companion)) {
    LockRelationOid(release, ShareUpdateExclusiveLock);
    companion = require_companion(release);
  }
  SPI_commit();
  EnsurePortalSnapshotExists();
  return companion;
}

void refresh_and_record(void* state) {
  auto& running = *static_cast<RunningJob*>(state);
  const Oid release = running.job->release;
  const OwnSettings settings = begin_own_settings();
  restore_rights(release, running.companion);
  running.run.figures = running.job->refresh(release, running.progress);
  if (running.run.figures != nullptr) {
    await_turn(running.companion);
    forget_withdrawn(release, running.companion);
    record_run(running.companion, running.run);
  }
  end_own_settings(settings);
}

void record_failure(void* state) {
  auto& running = *static_cast<RunningJob*>(state);
  await_turn(running.companion);
  record_run(running.companion, running.run);
}

/// A failure that cannot be written down must not replace the error to be raised.
void try_to_record(RunningJob& running) {
  attempt(record_failure, &running);
}

void withdraw_and_record(void* state) {
  auto& running = *static_cast<RunningJob*>(state);
  await_turn(running.companion);
  running.run.withdrawn = withdraw_rights(running.job->release, running.companion);
  record_run(running.companion, running.run);
}

/// Null, or the error of the commit, after which a new transaction has begun.
ErrorData* commit() {
  MemoryContext context = CurrentMemoryContext;
  ErrorData* volatile error = nullptr;
  PG_TRY();
  { SPI_commit(); }
  PG_CATCH();
  {
    MemoryContextSwitchTo(context);
    error = CopyErrorData();
    FlushErrorState();
  }
  PG_END_TRY();
  return error;
}

/// A phase of the refresh, committed. Null, or its error.
ErrorData* take_step(RunningJob& running) {
  ErrorData* error = attempt(refresh_and_record, &running);
  if (error == nullptr) error = commit();
  EnsurePortalSnapshotExists();
  return error;
}

/// Withdraws rights and writes the run down. A GRANT of another session at the same time makes it
/// fail, so it is tried again. Null, or the error that remains.
ErrorData* withdraw(RunningJob& running) {
  constexpr int kTrials = 3;
  ErrorData* error = nullptr;
  for (int trial = 0; trial < kTrials; ++trial) {
    error = attempt(withdraw_and_record, &running);
    if (error == nullptr) return nullptr;
  }
  running.run.withdrawn = 0;
  try_to_record(running);
  return error;
}

[[noreturn]] void raise_unwithdrawn(const RunningJob& running, const ErrorData& withdrawal) {
  ereport(ERROR, (errcode(withdrawal.sqlerrcode),
                  errmsg("readers of release \"%s\" keep their rights after a failed refresh",
                         get_rel_name(running.job->release)),
                  errdetail("The refresh failed with \"%s\", the withdrawal with \"%s\".",
                            public_message(*running.run.error), public_message(withdrawal)),
                  errhint("Revoke SELECT by hand.")));
  pg_unreachable();
}

}  // namespace

OnFailure on_failure_of(const char* text) {
  if (text != nullptr && std::strcmp(text, "keep") == 0) return OnFailure::keep;
  if (text != nullptr && std::strcmp(text, "withdraw") == 0) return OnFailure::withdraw;
  ereport(ERROR,
          (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unknown value for \"on_failure\""),
           errhint("Choose one of 'keep', 'withdraw'.")));
  pg_unreachable();
}

void run_job(const Job& job) {
  RunningJob running = {};
  running.job = &job;
  running.run.started = GetCurrentTimestamp();
  running.run.fingerprint = fingerprint_of(job.spec);
  running.companion = committed_companion(job.release);
  ErrorData* error = nullptr;
  while (error == nullptr && running.run.figures == nullptr) error = take_step(running);
  if (error == nullptr) return;
  running.run.error = error;
  running.run.figures = nullptr;
  ErrorData* withdrawal = nullptr;
  if (job.on_failure == OnFailure::withdraw)
    withdrawal = withdraw(running);
  else
    try_to_record(running);
  SPI_commit();
  EnsurePortalSnapshotExists();
  if (withdrawal != nullptr) raise_unwithdrawn(running, *withdrawal);
  raise_publicly(*error);
}

}  // namespace anonkit::pg
