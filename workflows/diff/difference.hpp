// Two variants of one operation on the same cases: whether both are right, where the bits of D
// differ and how far, which one errs more, and what each costs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "device/counters.hpp"
#include "properties/campaign/campaign.hpp"
#include "properties/case/case.hpp"
#include "workflows/diff/element_difference.hpp"

namespace warpcheck::workflows::diff {

struct DifferenceOptions {
  std::int64_t cases = 100;
  std::uint64_t seed = 0;
  unsigned jobs = 0;  // host threads; 0: one per processor
  bool shrink = true;
  double shrink_seconds = 10.0;        // per finding, and for the smallest case that differs
  std::int64_t shrink_launches = 400;  // likewise
  bool strict_races = false;           // benign races are findings too
  std::function<void(const properties::Case&)> before_launch;  // from any thread
};

/// What the virtual device counted, summed over the cases that both completed.
struct Cost {
  std::uint64_t instructions = 0;  // of warps
  std::uint64_t global_requests = 0;
  std::uint64_t global_sectors = 0;
  std::uint64_t shared_requests = 0;
  std::uint64_t bank_conflicts = 0;  // wavefronts beyond those that the requests need

  void add(const std::vector<device::InstructionCounts>& counts);
};

/// |error| / bound: of each case the largest, over the cases on which either variant errs.
struct ErrorSummary {
  double largest = 0.0;
  double mean = 0.0;
  std::optional<properties::Case> worst;  // that shows the largest
};

/// One of the two variants, on all cases.
struct SideReport {
  std::string variant;
  std::int64_t failed = 0;  // cases
  std::vector<properties::campaign::FindingReport> findings;
  ErrorSummary error;
  Cost cost;
};

struct DifferenceReport {
  std::string device;
  SideReport before;
  SideReport after;
  std::vector<std::string> remarks;  // what to know when the two are compared
  std::int64_t cases = 0;            // run by both
  std::int64_t compared = 0;         // of them: both ran to their end
  std::int64_t differing = 0;        // of these: D differs
  std::optional<ElementDifference> largest;
  std::optional<ElementDifference> smallest;  // the first case that differs, shrunk
  std::int64_t erring = 0;   // cases on which one or the other has an error other than 0
  double error_ratio = 1.0;  // new to old on such a case, the geometric mean; errors of less than
                             // a thousandth of the bound count as that, wrong ones as the bound
  bool drift = false;        // no case failed, and the new variant errs markedly more
  bool counted = false;      // the device counts
};

/// Throws InputError where the two claim different things, their domains share no case, or the PTX
/// is not PTX. The report does not depend on the number of threads.
[[nodiscard]] DifferenceReport compare_variants(const contract::Variant& before,
                                                const contract::Variant& after,
                                                device::Device& device,
                                                const DifferenceOptions& options);

/// Time of the launches of one problem.
struct Speed {
  properties::Case problem;  // as the old variant is asked of it
  unsigned runs = 0;
  double before_seconds = 0.0;  // the median
  double after_seconds = 0.0;
};

/// Runs the two in turn, after a first run of each that does not count. The problem is the one
/// nearest to `wish` in both domains. Throws InputError where there is none, or where a run does
/// not complete.
[[nodiscard]] Speed measure_speed(const contract::Variant& before, const contract::Variant& after,
                                  device::Device& device, const properties::Case& wish,
                                  unsigned runs);

}  // namespace warpcheck::workflows::diff
