// The budgets of launches: those of each kernel, and the time of each test of the program.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/binaries.hpp"
#include "runtime/cuda_api.hpp"
#include "runtime/events/event.hpp"
#include "runtime/events/options.hpp"

namespace warpcheck::runtime {

struct LaunchWork;

/// The time that the launches of a test may take in all.
struct TestTime {
  double seconds = 0.0;       // 0: no limit
  bool is_of_marker = false;  // the test states it; otherwise the options do
};

class LaunchBudget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit LaunchBudget(const ExecOptions& options) : options_(options) {}

  /// Later launches belong to this test; an empty name: to no test.
  void begin_test(const std::string& name, TestTime time);

  /// True if the kernel has more launches left, or has no launch with these extents yet.
  [[nodiscard]] bool has_launch(const Kernel& kernel, const LaunchWork& work);
  /// True if the launches of the test have taken all its time.
  [[nodiscard]] bool is_test_over() const { return time_.seconds > 0.0 && spent_ >= time_.seconds; }

  /// The time at which a launch that begins at `begin` must end.
  [[nodiscard]] std::optional<Clock::time_point> deadline(Clock::time_point begin) const;
  /// Adds the time of a launch to that of the test.
  void spend(double seconds) { spent_ += seconds; }

  /// Reports of launches that were skipped, or were not executed to their end.
  [[nodiscard]] device::Unsupported skipped_launches(const Kernel& kernel) const;
  [[nodiscard]] device::Unsupported over_time(std::uint64_t launch) const;

 private:
  struct KernelLaunches {
    std::uint64_t count = 0;
    std::set<std::vector<unsigned>> extents;  // grids and blocks that have a launch
  };

  const ExecOptions& options_;
  std::map<const Kernel*, KernelLaunches> kernels_;
  std::string test_;
  TestTime time_;
  double spent_ = 0.0;  // seconds
};

}  // namespace warpcheck::runtime
