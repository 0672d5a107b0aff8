#include "device/instruction_facts.hpp"

#include <array>
#include <cstddef>

namespace warpcheck::device {

std::string_view name(InstructionKind kind) {
  constexpr std::array<std::string_view, 17> kNames = {
      "fp32",  "fp64", "fp16",   "special",  "integer", "conversion", "comparison", "move", "load",
      "store", "copy", "atomic", "exchange", "barrier", "control",    "tensor",     "other"};
  return kNames.at(static_cast<std::size_t>(kind));
}

}  // namespace warpcheck::device
