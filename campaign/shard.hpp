// A part of a campaign that runs separately: on another machine or at another time.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpcheck::campaign {

/// Part `number` of `of`, counted from 1. The seed, the variant and the number of a case determine
/// its shard, so that each case belongs to exactly one shard.
struct Shard {
  unsigned number = 1;
  unsigned of = 1;

  [[nodiscard]] bool is_whole() const { return of == 1; }
  [[nodiscard]] bool holds(std::uint64_t seed, std::string_view variant, std::int64_t index) const;
};

}  // namespace warpcheck::campaign
