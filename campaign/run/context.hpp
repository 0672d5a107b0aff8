// The requirements of a run besides its case.
#pragma once

#include <cstdint>
#include <functional>

#include "campaign/case/case.hpp"
#include "campaign/run/observation.hpp"
#include "campaign/run/reference_cache.hpp"
#include "contract/compile/variant.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign::run {

/// Everything that a run of one of a variant's cases requires.
struct Context {
  const contract::Variant& variant;
  device::Device& device;
  const device::Program& program;
  std::function<void(const Case&)> before_launch = {};
  Strictness strict = {};    // notes that are findings, besides those of the contract
  bool limits_only = false;  // true: only check whether launches are refused
  bool map_errors = false;   // true: add an error map to evidence of wrong values
  // Shared by kernels that run the same cases; null: each run evaluates its own.
  ReferenceCache* references = nullptr;
  device::StopCondition stop = {};  // ends the jobs early
  // Launches have 1 / `budget_divisor` of their budget of instructions, or of their time on a GPU.
  std::uint64_t budget_divisor = 1;
  Observation* observation = nullptr;  // sum of what is observed of the jobs; null: nothing is

  /// The same on another device.
  [[nodiscard]] Context on(device::Device& other) const {
    return {variant,    other,      program, before_launch,  strict,     limits_only,
            map_errors, references, stop,    budget_divisor, observation};
  }
};

}  // namespace warpcheck::campaign::run
