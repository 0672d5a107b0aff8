#include "device/virtual/machine/memory/mbarriers.hpp"

#include <utility>

namespace warpcheck::machine {
namespace {

// A token consists of, from the lowest bit on, 20 bits for arrivals, 16 bits for the object's
// offset in units of 8 bytes, and the phase.
constexpr unsigned kCountBits = 20;
constexpr unsigned kOffsetBits = 16;

constexpr std::uint64_t low(std::uint64_t value, unsigned bits) {
  return value & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace

std::uint64_t Mbarrier::word() const {
  return std::uint64_t{pending} | std::uint64_t{expected} << kCountBits |
         low(static_cast<std::uint64_t>(bytes), kCountBits + 1) << (2 * kCountBits) |
         low(phase, 3) << 61;
}

std::uint64_t Mbarrier::token(std::uint64_t offset) const {
  return std::uint64_t{pending} | low(offset / 8, kOffsetBits) << kCountBits |
         phase << (kCountBits + kOffsetBits);
}

MbarrierToken::MbarrierToken(std::uint64_t token)
    : pending(static_cast<std::uint32_t>(low(token, kCountBits))),
      phase(token >> (kCountBits + kOffsetBits)),
      offset(8 * low(token >> kCountBits, kOffsetBits)) {}

bool Mbarrier::complete_if_due() {
  if (pending != 0 || bytes != 0) return false;
  ++phase;
  pending = expected;
  completed = arrived;
  due.insert(due.end(), attached.begin(), attached.end());
  attached.clear();
  return true;
}

}  // namespace warpcheck::machine
