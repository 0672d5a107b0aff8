#include "device/counters.hpp"

#include <array>

namespace warpcheck::device {

std::string_view name(InstructionKind kind) {
  constexpr std::array<std::string_view, 15> kNames = {
      "fp32", "fp64",  "fp16",   "special",  "integer", "conversion", "comparison", "move",
      "load", "store", "atomic", "exchange", "barrier", "control",    "other"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace warpcheck::device
