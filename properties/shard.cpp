#include "properties/shard.hpp"

namespace warpcheck::properties {
namespace {

/// The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): every bit of the input moves
/// every bit of the result.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

bool Shard::holds(std::uint64_t seed, std::string_view variant, std::int64_t index) const {
  if (is_whole()) return true;
  std::uint64_t hash = mixed(seed);
  for (const char c : variant) hash = mixed(hash ^ static_cast<unsigned char>(c));
  hash = mixed(hash ^ static_cast<std::uint64_t>(index));
  return hash % of + 1 == number;
}

}  // namespace warpcheck::properties
