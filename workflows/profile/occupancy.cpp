#include "workflows/profile/occupancy.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace warpcheck::workflows::profile {
namespace {

constexpr std::size_t kKiB = 1024;
constexpr unsigned kUnlimited = std::numeric_limits<unsigned>::max();
constexpr unsigned kQuarters = 4;
constexpr unsigned kRegistersOfQuarter = 65536 / kQuarters;
constexpr unsigned kRegisterUnit = 256;
constexpr std::size_t kSharedUnit = 128;

constexpr std::array<Multiprocessor, 12> kMultiprocessors = {{
    {"sm_70", 64, 32, 96 * kKiB, 0},
    {"sm_72", 64, 32, 96 * kKiB, 0},
    {"sm_75", 32, 16, 64 * kKiB, 0},
    {"sm_80", 64, 32, 164 * kKiB, kKiB},
    {"sm_86", 48, 16, 100 * kKiB, kKiB},
    {"sm_87", 48, 16, 164 * kKiB, kKiB},
    {"sm_89", 48, 24, 100 * kKiB, kKiB},
    {"sm_90", 64, 32, 228 * kKiB, kKiB},
    {"sm_100", 64, 32, 228 * kKiB, kKiB},
    {"sm_103", 64, 32, 228 * kKiB, kKiB},
    {"sm_120", 48, 24, 100 * kKiB, kKiB},
    {"sm_121", 48, 24, 100 * kKiB, kKiB},
}};

template <class Number>
Number round_up(Number value, Number unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

std::optional<Multiprocessor> multiprocessor(std::string_view architecture) {
  if (!architecture.empty() && (architecture.back() == 'a' || architecture.back() == 'f')) {
    architecture.remove_suffix(1);
  }
  const auto* const found =
      std::find_if(kMultiprocessors.begin(), kMultiprocessors.end(),
                   [&](const Multiprocessor& row) { return row.architecture == architecture; });
  if (found == kMultiprocessors.end()) return std::nullopt;
  return *found;
}

Occupancy occupancy(const Multiprocessor& multiprocessor, const BlockNeeds& needs) {
  const unsigned warps = (std::max(needs.threads, 1U) + 31) / 32;
  Occupancy result;
  result.by_blocks = multiprocessor.blocks;
  result.by_warps = multiprocessor.warps / warps;
  result.by_registers = kUnlimited;
  if (needs.registers != 0) {
    const unsigned warp_registers = round_up(needs.registers * 32, kRegisterUnit);
    result.by_registers = kRegistersOfQuarter / warp_registers * kQuarters / warps;
  }
  result.by_shared = kUnlimited;
  const std::size_t shared =
      round_up(needs.shared_bytes + multiprocessor.reserved_bytes, kSharedUnit);
  if (shared != 0) {
    result.by_shared = static_cast<unsigned>(multiprocessor.shared_bytes / shared);
  }
  const std::array<std::pair<unsigned, std::string_view>, 4> limits = {
      {{result.by_warps, "warps"},
       {result.by_registers, "registers"},
       {result.by_shared, "shared memory"},
       {result.by_blocks, "blocks"}}};
  const auto* const least = std::min_element(
      limits.begin(), limits.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  result.active_blocks = least->first;
  result.limiter = least->second;
  result.active_warps = result.active_blocks * warps;
  result.share = static_cast<double>(result.active_warps) / multiprocessor.warps;
  return result;
}

std::optional<Occupancy> occupancy(const Profile& profile) {
  const auto limits = multiprocessor(profile.architecture);
  if (!limits || !profile.resources) return std::nullopt;
  return occupancy(*limits, {threads_per_block(profile), profile.resources->registers,
                             profile.resources->shared_bytes + profile.launch.shared_bytes});
}

unsigned threads_per_block(const Profile& profile) {
  const Dim3& block = profile.launch.block;
  return block.x * block.y * block.z;
}

}  // namespace warpcheck::workflows::profile
