// One step of a bisection: runs the cases on the files of one commit.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "campaign/listener.hpp"
#include "device/device.hpp"
#include "workflows/targets/case_lines.hpp"

namespace warpcheck::workflows::bisect {

enum class StepVerdict { good, bad, skip };

struct Step {
  StepVerdict verdict = StepVerdict::skip;
  std::string reason;  // one line: the finding, or why the cases cannot run
  std::vector<campaign::FindingReport> findings;
  bool unsupported = false;  // skipped because the device cannot execute a case
};

struct StepOptions {
  std::function<std::unique_ptr<device::Device>()> open_device;
  Strictness strict;
  campaign::Listener& listener;
};

/// Runs the cases on the variants at `in`. The verdict is `skip` if the kernel does not compile, a
/// variant is absent, the device cannot execute a case, or a case is outside its contract's domain
/// or has a field that no argument takes. Throws EnvironmentError.
[[nodiscard]] Step run_step(const std::vector<targets::LocatedCase>& cases, const std::string& in,
                            const StepOptions& options);

}  // namespace warpcheck::workflows::bisect
