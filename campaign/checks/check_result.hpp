// The result of checking one law on one case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/run/runner.hpp"

namespace warpcheck::campaign::checks {

struct CheckResult {
  std::vector<run::Evidence> evidence;  // empty: the law holds
  // Share of the terms whose loss would certainly have been detected. Empty if no values were
  // compared with those of the reference.
  std::optional<double> sensitivity;
  // The largest |error| / tolerance; at most 1 if the values are right. Empty if sensitivity is.
  std::optional<double> error_over_bound;
  std::string printed;               // output of the kernel
  bool launched = false;             // false: there was nothing to do
  std::int64_t jobs = 0;             // jobs that ran
  std::vector<run::Evidence> notes;  // reported, but not failures
  // The form that the device could not execute. Then the law is not checked, but `evidence` holds.
  std::optional<device::Unsupported> unsupported;
};

}  // namespace warpcheck::campaign::checks
