// Comparison of two variants of one operation on the same cases: correctness, differences between
// the bits of their results, errors, and cost.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "campaign/case/case.hpp"
#include "device/counters.hpp"
#include "workflows/diff/element_difference.hpp"

namespace warpcheck::workflows::diff {

/// `properties` is not used: each case is compared with the reference. The shrink limits also apply
/// to the smallest case on which the variants differ.
struct DifferenceOptions : campaign::RunOptions {
  std::int64_t cases = 100;
  std::function<void(const campaign::Case&)> before_launch;  // called from any thread
};

/// Counters of the virtual device, summed over the cases that both variants completed.
struct Cost {
  std::uint64_t instructions = 0;  // executed by warps
  std::uint64_t global_requests = 0;
  std::uint64_t global_sectors = 0;
  std::uint64_t shared_requests = 0;
  std::uint64_t bank_conflicts = 0;  // wavefronts beyond the minimum for the requests

  void add(const std::vector<device::InstructionCounts>& counts);
};

/// The largest |error| / bound of each case, over the cases on which either variant has an error.
struct ErrorSummary {
  double largest = 0.0;
  double mean = 0.0;
  std::optional<campaign::Case> worst;  // the case with the largest error
};

/// One of the two variants, over all cases.
struct SideReport {
  std::string variant;
  std::int64_t failed = 0;  // failed cases
  std::vector<campaign::FindingReport> findings;
  std::vector<campaign::UnsupportedForm>
      unsupported;  // forms that the device could not execute; their cases are not compared
  ErrorSummary error;
  Cost cost;
};

struct DifferenceReport {
  std::string device;
  std::string output;  // name of the output: "D", "y", "the result (y, z)"
  SideReport before;
  SideReport after;
  std::vector<std::string> remarks;  // conditions under which the two are compared
  std::int64_t cases = 0;            // cases that both variants ran
  std::int64_t compared = 0;         // cases that both completed
  std::int64_t differing = 0;        // compared cases on which the output differs
  std::optional<ElementDifference> largest;
  std::optional<ElementDifference> smallest;  // the first case that differs, shrunk
  bool fully_shrunk = true;                   // see campaign::FindingReport
  std::int64_t erring = 0;                    // cases on which either has an error other than 0
  // The geometric mean of the ratios after / before over these cases. Each error is clamped to
  // [0.001, 1] of the bound.
  double error_ratio = 1.0;
  bool drift = false;    // no case failed, and the errors of `after` are markedly larger
  bool counted = false;  // the device has counters
};

/// Throws InputError if the contracts differ in the operation, if their domains have no common
/// case, or if the PTX is invalid. The report does not depend on the number of threads.
[[nodiscard]] DifferenceReport compare_variants(const contract::Variant& before,
                                                const contract::Variant& after,
                                                device::Device& device,
                                                const DifferenceOptions& options);

}  // namespace warpcheck::workflows::diff
