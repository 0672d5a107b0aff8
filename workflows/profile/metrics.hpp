// Metrics of a profile under the labels and names of Nsight Compute.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "workflows/profile/profile.hpp"

namespace warpcheck::workflows::profile {

/// One quantity: its section and label in Nsight Compute, and the metric's name there.
struct Metric {
  std::string_view section;
  std::string_view label;
  std::string_view name;
  double value = 0.0;
  std::string_view unit;
};

/// Returns the metrics in the order of their sections. Instructions are PTX instructions.
[[nodiscard]] std::vector<Metric> metrics(const Profile& profile);

/// Share of the executed warp instructions that are of one kind.
struct KindShare {
  device::InstructionKind kind{};
  double percent = 0.0;
};

/// Every kind that was executed, the most frequent first.
[[nodiscard]] std::vector<KindShare> instruction_mix(const Profile& profile);

/// Floating-point operations per byte moved.
struct Intensity {
  double operations = 0.0;
  double by_sectors = 0.0;     // bytes of all sectors between L1 and the multiprocessors
  double by_compulsory = 0.0;  // bytes if each matrix moves once
};

[[nodiscard]] Intensity intensity(const Profile& profile);

/// Peak rates of a GPU for the arithmetic of a profile.
struct Peak {
  std::string_view arithmetic;  // "FP32", "FP16 tensor" ...
  double operations_per_second = 0.0;
  double bytes_per_second = 0.0;
  std::string_view operation = "FLOP";

  /// Operations per byte from which arithmetic is the limit.
  [[nodiscard]] double ridge() const { return operations_per_second / bytes_per_second; }
};

/// Peak of the NVIDIA H200 SXM (data sheet, without sparsity) for the tensor instructions of the
/// profile or, if there are none, for FP64 if it has FP64 instructions.
[[nodiscard]] Peak h200_peak(const Profile& profile);

}  // namespace warpcheck::workflows::profile
