#include "runtime/launch_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text/demangle.hpp"
#include "runtime/runtime.hpp"

namespace warpcheck::runtime {

void LaunchBudget::begin_test(const std::string& name, TestTime time) {
  test_ = name;
  time_ = name.empty() ? TestTime{} : time;
  spent_ = 0.0;
}

bool LaunchBudget::has_launch(const Kernel& kernel, const LaunchWork& work) {
  if (options_.launches_per_kernel == 0) return true;
  KernelLaunches& launches = kernels_[&kernel];
  const bool is_new =
      launches.extents
          .insert({work.grid.x, work.grid.y, work.grid.z, work.block.x, work.block.y, work.block.z})
          .second;
  return launches.count++ < options_.launches_per_kernel || is_new;
}

std::optional<LaunchBudget::Clock::time_point> LaunchBudget::deadline(
    Clock::time_point begin) const {
  double seconds = options_.seconds;
  if (time_.seconds > 0.0) {
    const double left = time_.seconds - spent_;
    seconds = seconds > 0.0 ? std::min(seconds, left) : left;
  }
  if (seconds <= 0.0) return std::nullopt;
  return begin +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

device::Unsupported LaunchBudget::skipped_launches(const Kernel& kernel) const {
  return {fmt::format("launches of {}", demangle(kernel.info.entry)),
          fmt::format("after the first {} and the first one of each other grid, they are skipped: "
                      "`--launches-per-kernel N` raises the number",
                      options_.launches_per_kernel),
          "",
          {}};
}

device::Unsupported LaunchBudget::over_time(std::uint64_t launch) const {
  if (is_test_over()) {
    return {test_,
            fmt::format("its launches did not end within {} s, the limit of {}; the others are "
                        "skipped",
                        time_.seconds, time_.is_of_marker ? "its marker" : "`--time-per-test`"),
            "",
            {}};
  }
  return {
      fmt::format("launch {}", launch),
      fmt::format("it did not end within {} s, the limit of `--time-per-launch`", options_.seconds),
      "",
      {}};
}

}  // namespace warpcheck::runtime
