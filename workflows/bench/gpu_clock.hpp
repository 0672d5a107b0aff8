// The clock of a GPU's multiprocessors, by NVML, which is opened at run time.
#pragma once

#include <optional>
#include <string>

namespace warpcheck::workflows::bench {

class GpuClock {
 public:
  /// The first GPU of NVML. Without the library the clock is unknown: why_unknown() has the reason.
  GpuClock();

  /// Hertz at this moment.
  [[nodiscard]] std::optional<double> now() const;
  [[nodiscard]] std::optional<double> highest() const;
  [[nodiscard]] const std::string& why_unknown() const { return why_unknown_; }

 private:
  using Query = int (*)(void* device, int type, unsigned* megahertz);

  [[nodiscard]] std::optional<double> query_clock(Query query) const;

  void* device_ = nullptr;
  Query current_ = nullptr;
  Query most_ = nullptr;
  std::string why_unknown_;
};

}  // namespace warpcheck::workflows::bench
