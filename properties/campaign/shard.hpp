// A part of a campaign, to be run by itself: on another machine, at another time.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpcheck::properties::campaign {

/// Part `number` of `of`, from 1. Which cases it holds follows from the seed, the variant and the
/// number of the case alone, so that the parts together hold every case once, however many they
/// are.
struct Shard {
  unsigned number = 1;
  unsigned of = 1;

  [[nodiscard]] bool is_whole() const { return of == 1; }
  [[nodiscard]] bool holds(std::uint64_t seed, std::string_view variant, std::int64_t index) const;
};

}  // namespace warpcheck::properties::campaign
