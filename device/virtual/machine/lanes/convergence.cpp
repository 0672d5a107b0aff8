#include "device/virtual/machine/lanes/convergence.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "device/virtual/machine/block/block.hpp"

namespace warpcheck::machine {

bool all_take_part(Warp& warp, const Op& op) {
  if (warp.active() == kAllLanes) return true;
  constexpr auto kWholeWarp = [] {
    std::array<std::uint32_t, kLanes> masks{};
    masks.fill(kAllLanes);
    return masks;
  }();
  if (warp.gather_lanes(op, kWholeWarp.data()) == 0) return false;
  const std::string& mnemonic = warp.frame().code->source->body[op.instruction].parts.front();
  static_cast<void>(warp.goes_on_after(
      op, warp.active(), FindingClass::barrier_divergence,
      fmt::format("{} of the warp's 32 lanes come to {}.sync.aligned, which all must execute "
                  "together",
                  std::popcount(warp.active()), mnemonic)));
  return false;
}

}  // namespace warpcheck::machine
