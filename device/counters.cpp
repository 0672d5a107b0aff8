#include "device/counters.hpp"

#include <array>

namespace warpcheck::device {

std::string_view name(InstructionKind kind) {
  constexpr std::array<std::string_view, 17> kNames = {
      "fp32",  "fp64", "fp16",   "special",  "integer", "conversion", "comparison", "move", "load",
      "store", "copy", "atomic", "exchange", "barrier", "control",    "tensor",     "other"};
  return kNames.at(static_cast<std::size_t>(kind));
}

ExecutionCounts& ExecutionCounts::operator+=(const ExecutionCounts& other) {
  warps += other.warps;
  threads += other.threads;
  predicated_on += other.predicated_on;
  taken += other.taken;
  not_taken += other.not_taken;
  divergent += other.divergent;
  global_requests += other.global_requests;
  global_sectors += other.global_sectors;
  global_ideal += other.global_ideal;
  shared_requests += other.shared_requests;
  shared_wavefronts += other.shared_wavefronts;
  shared_ideal += other.shared_ideal;
  return *this;
}

}  // namespace warpcheck::device
