#include "device/gpu_model.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace warpcheck::device {
namespace {

constexpr std::size_t operator""_kb(unsigned long long kilobytes) { return kilobytes << 10; }

constexpr std::array kModels = {
    GpuModel{"m60", 52, 16, 48_kb, 96_kb, 2048, 32, 2, 256, 1178, 2505, 32},
    GpuModel{"v100", 70, 80, 96_kb, 96_kb, 2048, 32, 6, 4096, 1530, 877, 2},
    GpuModel{"titan-rtx", 75, 72, 64_kb, 64_kb, 1024, 16, 6, 384, 1770, 7001, 32},
    GpuModel{"a100", 80, 108, 163_kb, 164_kb, 2048, 32, 40, 5120, 1410, 1593, 2},
    GpuModel{"a40", 86, 84, 99_kb, 100_kb, 1536, 16, 6, 384, 1740, 7251, 64},
    GpuModel{"orin", 87, 16, 163_kb, 164_kb, 1536, 16, 4, 256, 1300, 3199, 64},
    GpuModel{"l40s", 89, 142, 99_kb, 100_kb, 1536, 24, 96, 384, 2520, 9001, 64},
    GpuModel{"h100", 90, 132, 227_kb, 228_kb, 2048, 32, 50, 5120, 1980, 2619, 2},
    GpuModel{"h200", 90, 132, 227_kb, 228_kb, 2048, 32, 60, 6016, 1980, 3201, 2},
    GpuModel{"b200", 100, 148, 227_kb, 228_kb, 2048, 32, 126, 8192, 1965, 3996, 2},
    GpuModel{"rtx5090", 120, 170, 99_kb, 100_kb, 1536, 24, 96, 512, 2407, 14001, 64},
};

}  // namespace

unsigned resident_blocks(const GpuModel& gpu, std::uint64_t threads, std::size_t shared) {
  constexpr std::uint64_t kWarp = 32;
  if (threads == 0 || threads > kMostBlockThreads || shared > gpu.block_shared) return 0;
  const std::uint64_t rounded = (threads + kWarp - 1) / kWarp * kWarp;
  return static_cast<unsigned>(
      std::min({std::uint64_t{gpu.blocks}, gpu.threads / rounded,
                std::uint64_t{gpu.shared / (shared + kReservedBlockShared)}}));
}

std::span<const GpuModel> gpu_models() { return kModels; }

const GpuModel* gpu_model(std::string_view name) {
  const auto* const found = std::find_if(kModels.begin(), kModels.end(),
                                         [&](const GpuModel& model) { return model.name == name; });
  return found == kModels.end() ? nullptr : found;
}

const GpuModel& largest_gpu(std::string_view target) {
  int capability = 0;
  target.remove_prefix(std::min<std::size_t>(target.size(), 3));  // skips "sm_"
  std::from_chars(target.data(), target.data() + target.size(), capability);
  const GpuModel* found = &kModels.front();
  for (const GpuModel& model : kModels) {
    if (model.capability <= capability && model.capability > found->capability) found = &model;
  }
  return *found;
}

}  // namespace warpcheck::device
