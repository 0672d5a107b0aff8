// The lane whose value a shuffle reads (PTX ISA 9.7.9.6).
#pragma once

#include <cstdint>

namespace warpcheck::machine {

enum class Shuffle : std::uint8_t { up, down, bfly, idx };

/// The lane that a lane reads. `within`: the source is in the lane's segment; otherwise the lane
/// reads its own value.
struct ShuffleSource {
  unsigned lane = 0;
  bool within = false;
};

/// Operand `b` is the distance or the lane, `c` the bound and the mask of the segment.
constexpr ShuffleSource shuffle_source(Shuffle mode, unsigned lane, std::uint32_t b,
                                       std::uint32_t c) {
  const int distance = static_cast<int>(b & 0x1f);
  const unsigned segment = c >> 8 & 0x1f;
  const auto last = static_cast<int>((lane & segment) | (c & 0x1f & ~segment));
  const auto self = static_cast<int>(lane);
  const int from = [&] {
    switch (mode) {
      case Shuffle::up:
        return self - distance;
      case Shuffle::down:
        return self + distance;
      case Shuffle::bfly:
        return self ^ distance;
      case Shuffle::idx:
        break;
    }
    return static_cast<int>((lane & segment) | (static_cast<unsigned>(distance) & ~segment));
  }();
  const bool within = mode == Shuffle::up ? from >= last : from <= last;
  return {within ? static_cast<unsigned>(from) : lane, within};
}

}  // namespace warpcheck::machine
