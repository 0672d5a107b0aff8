// Measurements of variants by `bench`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "workflows/bench/timing.hpp"

namespace warpcheck::workflows::bench {

struct Result {
  std::string variant;
  campaign::Case line;
  double operations = 0.0;
  Timing seconds;
  std::optional<Timing> cublas_seconds;  // launches in turn with the variant's
  std::string no_cublas;                 // reason why cublas_seconds is empty
  double peak = 0.0;                     // operations per second; 0: unknown
  std::optional<double> clock_hz;        // median clock during the launches; empty: unknown
  std::string wrong;  // the element that is wrong before or after the launches; empty: all right

  [[nodiscard]] double rate() const { return operations / seconds.median; }
  [[nodiscard]] std::optional<double> cublas_rate() const {
    if (!cublas_seconds) return std::nullopt;
    return operations / cublas_seconds->median;
  }
  [[nodiscard]] std::optional<double> share_of_cublas() const {
    if (!cublas_seconds) return std::nullopt;
    return cublas_seconds->median / seconds.median;
  }
};

/// 2 m n k for each product of the batch.
[[nodiscard]] double operations_of(const campaign::Case& line);

struct Results {
  std::string device;
  std::string clock;  // the highest clock, or the reason why clocks are unknown
  std::vector<Result> results;
};

}  // namespace warpcheck::workflows::bench
