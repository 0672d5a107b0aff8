// Findings of `warpcheck exec` as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "report/failure_block.hpp"
#include "report/paint.hpp"
#include "workflows/exec/events/event.hpp"

namespace warpcheck::report {

/// The block of a finding: as `check` prints it, then the kernel, and the calls of the host.
[[nodiscard]] std::string exec_block(const workflows::exec::FindingEvent& event, const Paint& paint,
                                     const BlockStyle& style);

/// A note in one line.
[[nodiscard]] std::string exec_note(const workflows::exec::FindingEvent& event);

/// The block of what warpcheck could not execute.
[[nodiscard]] std::string exec_unsupported(const workflows::exec::UnsupportedEvent& event,
                                           const Paint& paint);

/// Totals of a program.
struct ExecTotals {
  std::uint64_t findings = 0;
  std::uint64_t notes = 0;
  std::uint64_t unsupported = 0;
  double seconds = 0.0;
};

/// "exec: 3 runs of kernels, 704 warp instructions in 0.02 s: 1 finding".
[[nodiscard]] std::string exec_summary(const workflows::exec::TotalsEvent& totals,
                                       const ExecTotals& found);

}  // namespace warpcheck::report
