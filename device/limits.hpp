// Limits of what a job may use of the host, and the condition that stops it early.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace warpcheck::device {

/// Largest use of the host by the virtual device. Every limit counts, so that the same job gives
/// the same result on every machine. None is a limit of CUDA: those are in machine/grid/limits.cpp.
struct Limits {
  std::uint64_t instructions = 0;  // warp instructions of one launch; 0: the budget of the job
  std::uint64_t blocks = std::uint64_t{1} << 20;  // largest number of blocks of one launch
  // Memory for the local memory, the calls and the heap of one launch.
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  // Printed bytes of one launch that are kept; CUDA's buffer for printf holds as many.
  std::uint64_t printed_bytes = std::uint64_t{1} << 20;

  friend bool operator==(const Limits&, const Limits&) = default;
};

/// Ends a job before it completes. The result then depends on the time, so that it is neither a
/// pass nor a finding.
struct StopCondition {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* requested = nullptr;  // true requests a stop; null: never requested

  [[nodiscard]] bool met() const {
    return (requested != nullptr && requested->load(std::memory_order_relaxed)) ||
           (deadline && std::chrono::steady_clock::now() >= *deadline);
  }
};

}  // namespace warpcheck::device
