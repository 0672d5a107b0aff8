// A law on the generated cases of a kernel, as a property of RapidCheck.
#pragma once

#include <rapidcheck/Gen.h>

#include <memory>
#include <optional>
#include <string>

#include "campaign/case/case.hpp"
#include "campaign/generate/cases.hpp"
#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "properties/law.hpp"

namespace warpcheck::campaign {

struct CheckedLaw {
  std::optional<Finding> finding;  // the finding on the smallest case
  Case problem;                    // the smallest case with this finding
  int launched = 0;                // cases that reached the device, without those of shrinking
  bool failed = false;             // true: a finding, or an exception of the law
  std::string text;                // the command that replays the case, the seed, and the reason
};

/// The cases of one variant on one device. Refers to both.
class LawChecker {
 public:
  LawChecker(const contract::Variant& variant, device::Device& device,
             const generate::CaseOptions& options = {});

  /// Checks the law on generated cases until `cases` of them reached the device, or ten times as
  /// many did not. Shrinks the case of a finding to the smallest one with a finding of its class.
  /// The environment variable RC_PARAMS replaces the seed.
  [[nodiscard]] CheckedLaw check(const properties::Law& law, int cases) const;

 private:
  [[nodiscard]] std::string replay_command(const Case& problem) const;

  const contract::Variant& variant_;
  device::Device& device_;
  std::shared_ptr<const device::Program> program_;
  rc::Gen<Case> cases_;
};

}  // namespace warpcheck::campaign
