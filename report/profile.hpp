// What a profile tells: the counts of some cases of a variant in the words of Nsight Compute, line
// by line of the source, with occupancy, roofline and coverage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/resources.hpp"
#include "device/device.hpp"
#include "properties/case/case.hpp"
#include "properties/coverage/source_coverage.hpp"

namespace warpcheck::report {

/// What was counted, and of what.
struct Profile {
  std::string variant;
  std::string source_file;
  std::string source;  // its text
  std::string architecture;
  std::vector<properties::Case> cases;
  std::vector<device::InstructionCounts> counts;  // sums of all cases
  properties::coverage::SourceCoverage coverage;  // by all cases
  std::uint64_t compulsory_bytes = 0;  // each matrix moved once: operands read, the result written
  device::Launch launch;               // of the first case
  std::optional<contract::Resources> resources;
  std::string no_resources;  // why they are not known
};

/// A quantity as Nsight Compute calls it: its label there, and the metric's name.
struct Metric {
  std::string_view section;
  std::string_view label;
  std::string_view name;
  double value = 0.0;
  std::string_view unit;
};

/// In the order of their sections. Instructions are PTX instructions.
[[nodiscard]] std::vector<Metric> metrics(const Profile& profile);

/// The instructions of one source line.
struct LineCounts {
  std::string file;
  unsigned line = 0;
  std::uint64_t warps = 0;
  std::uint64_t predicated_on = 0;
  std::uint64_t global_requests = 0;
  std::uint64_t global_sectors = 0;
  std::uint64_t global_excess = 0;  // sectors beyond the ideal
  std::uint64_t shared_requests = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t shared_ideal = 0;
  unsigned ways = 0;  // of its worst instruction: wavefronts for each that there would be without
                      // bank conflicts, rounded; 0 where shared memory is not touched
  std::uint64_t branches = 0;
  std::uint64_t divergent = 0;

  [[nodiscard]] std::uint64_t excess() const {
    return global_excess + shared_wavefronts - shared_ideal;
  }
};

/// By excess of memory traffic, then by instructions, largest first.
[[nodiscard]] std::vector<LineCounts> by_line(const Profile& profile);

/// Floating-point operations for each byte that moves.
struct Intensity {
  double operations = 0.0;
  double by_sectors = 0.0;     // of the sectors between L1 and the multiprocessors
  double by_compulsory = 0.0;  // if each matrix moved once
};

[[nodiscard]] Intensity intensity(const Profile& profile);

/// For a person; at most `lines` source lines, 0: all.
[[nodiscard]] std::string text(const Profile& profile, std::size_t lines);

/// One line of JSON, without its end.
[[nodiscard]] std::string json(const Profile& profile);

}  // namespace warpcheck::report
