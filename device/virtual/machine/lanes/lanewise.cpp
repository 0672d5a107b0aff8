#include "device/virtual/machine/lanes/lanewise.hpp"

#include <cstring>

#include "device/virtual/machine/lanes/definedness.hpp"

namespace warpcheck::machine {
namespace {

std::uint64_t low_mask(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

/// Lane `lane` of 32 lanes of `bits` each.
std::uint64_t read_lane(const std::byte* lanes, unsigned bits, unsigned lane) {
  std::uint64_t value = 0;
  std::memcpy(&value, lanes + std::size_t{lane} * (bits / 8), bits / 8);
  return value;
}

LaneSources sources_of(Warp& warp, const Op& op, unsigned lane) {
  LaneSources sources;
  for (unsigned i = 0; i < op.sources; ++i) {
    const Slot slot = op.operand[i + 1];
    const unsigned bits = op.bits[i + 1];
    const bool known = (warp.defined(slot) >> lane & 1) != 0;
    if (bits == 1) {
      sources.value[i] = (warp.predicate(slot) >> lane & 1) ^ (op.negated_sources >> (i + 1) & 1);
      sources.undefined[i] = known ? 0 : 1;
    } else {
      sources.value[i] = read_lane(warp.lanes<std::byte>(slot), bits, lane);
      sources.undefined[i] = known ? 0 : read_lane(warp.undefined_bits(slot), bits, lane);
    }
  }
  return sources;
}

}  // namespace

Mask propagate_undefined(Warp& warp, const Op& op, Mask lanes) {
  Mask known = kAllLanes;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const LaneSources sources = sources_of(warp, op, lane);
    for (const unsigned result : {0U, kSecondResult}) {
      if (op.bits[result] == 0 || op.operand[result] == kNoSlot) continue;
      const std::uint64_t undefined =
          (op.rule != nullptr ? op.rule(sources) : ~std::uint64_t{0}) & low_mask(op.bits[result]);
      if (undefined == 0) continue;
      known &= ~(Mask{1} << lane);
      if (op.bits[result] > 1) {
        const std::size_t bytes = op.bits[result] / 8;
        std::memcpy(warp.undefined_bits(op.operand[result]) + lane * bytes, &undefined, bytes);
      }
    }
  }
  return known;
}

}  // namespace warpcheck::machine
