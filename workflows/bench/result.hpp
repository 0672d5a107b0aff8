// Measurements of variants by `bench`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/run/problem.hpp"
#include "workflows/bench/timing.hpp"

namespace warpcheck::workflows::bench {

struct Result {
  std::string variant;
  campaign::Case line;
  std::string size;         // the extents: "4096x4096x4096"
  double operations = 0.0;  // multiplications and additions; 0: no product
  double bytes = 0.0;       // all operands, each once
  Timing seconds;
  std::optional<Timing> cublas_seconds;  // launches in turn with the variant's
  std::string no_cublas;                 // reason why cublas_seconds is empty
  double peak = 0.0;                     // operations per second; 0: unknown
  double peak_bandwidth = 0.0;           // bytes per second of the GPU's memory; 0: unknown
  std::optional<double> clock_hz;        // median clock during the launches; empty: unknown
  std::string wrong;  // the element that is wrong before or after the launches; empty: all right

  [[nodiscard]] bool counts_operations() const { return operations > 0.0; }
  [[nodiscard]] double rate() const { return operations / seconds.median; }
  [[nodiscard]] double bandwidth() const { return bytes / seconds.median; }
  /// The share of the peak that limits the operation: arithmetic for a product, otherwise memory.
  [[nodiscard]] std::optional<double> share_of_peak() const;
  [[nodiscard]] std::optional<double> cublas_rate() const {
    if (!cublas_seconds) return std::nullopt;
    return operations / cublas_seconds->median;
  }
  [[nodiscard]] std::optional<double> share_of_cublas() const {
    if (!cublas_seconds) return std::nullopt;
    return cublas_seconds->median / seconds.median;
  }
};

/// The variant, the case, its size, operations and bytes.
[[nodiscard]] Result result_of(const campaign::run::Problem& problem);

struct Results {
  std::string device;
  std::string clock;  // the highest clock, or the reason why clocks are unknown
  std::vector<Result> results;
};

}  // namespace warpcheck::workflows::bench
