// The coverage and the grids of launches.
#pragma once

#include <vector>

#include "device/device.hpp"

namespace warpcheck::campaign::run {

/// The coverage and the grids of the launches of a case.
struct Observation {
  device::Coverage coverage;  // sum over the launches; empty if the device does not measure it
  std::vector<Dim3> grids;    // one grid for each launch
};

/// Adds a job that was run with Job::cover.
void add(Observation& sum, const device::Job& job, const device::Outcome& outcome);

/// Adds the coverage of another run of the same program, which may have launched other kernels.
void add(device::Coverage& sum, const device::Coverage& part);

/// Returns `part` without counts of 0 that add nothing to `sum`.
[[nodiscard]] device::Coverage without_unexecuted(device::Coverage part,
                                                  const device::Coverage& sum);

}  // namespace warpcheck::campaign::run
