#include "campaign/shard.hpp"

#include "base/hash.hpp"

namespace warpcheck::campaign {
bool Shard::holds(std::uint64_t seed, std::string_view variant, std::int64_t index) const {
  if (is_whole()) return true;
  return mixed(mixed(seed, variant), static_cast<std::uint64_t>(index)) % of + 1 == number;
}

}  // namespace warpcheck::campaign
