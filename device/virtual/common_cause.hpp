// Findings of one job that have the same cause.
#pragma once

#include <vector>

#include "device/finding.hpp"
#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::device {

/// Removes notes about races whose accesses belong to a race that is a failure.
void remove_explained_notes(std::vector<Finding>& findings);

/// Moves each race that the barrier of an earlier race would order to `same_cause` of that race.
/// One barrier, at a single place, orders all races of a finding.
void join_races(const machine::Program& program, std::vector<Finding>& findings);

}  // namespace warpcheck::device
