// The virtual device and a GPU compute the same bits of D for every built-in variant whose contract
// declares it deterministic.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "base/diagnostic.hpp"
#include "contract/compile/variant.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "properties/generate/cases.hpp"
#include "properties/run/problem.hpp"
#include "tests/gpu/architecture.hpp"

namespace warpcheck {
namespace {

constexpr std::int64_t kCases = 500;
constexpr std::uint64_t kSeed = 1;

/// The variants whose results repeat bit for bit. Empty if the build had no nvcc.
std::vector<contract::Variant> deterministic_variants() try {
  std::vector<contract::Variant> variants;
  for (contract::Variant& variant : contract::builtin_variants()) {
    if (variant.contract.deterministic) variants.push_back(std::move(variant));
  }
  return variants;
} catch (const EnvironmentError&) {
  return {};
}

class SameBits : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!device::cuda::available()) GTEST_SKIP() << "no NVIDIA GPU on this machine";
  }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SameBits);

/// Describes the first difference; empty if there is none.
std::string difference(const std::vector<std::byte>& on_virtual,
                       const std::vector<std::byte>& on_gpu, std::size_t element_bytes) {
  const auto [left, right] = std::ranges::mismatch(on_virtual, on_gpu);
  if (right == on_gpu.end()) return {};
  const auto element = static_cast<std::size_t>(right - on_gpu.begin()) / element_bytes;
  const auto bits = [&](const std::vector<std::byte>& bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + element * element_bytes, element_bytes);
    return fmt::format("0x{:0{}x}", value, 2 * element_bytes);
  };
  return fmt::format("element {} of D's buffer is {} on the virtual device, {} on the GPU", element,
                     bits(on_virtual), bits(on_gpu));
}

TEST_P(SameBits, OnTheVirtualDeviceAndOnTheGpu) {
  const contract::Variant variant = deterministic_variants().at(GetParam());
  const auto gpu = device::cuda::open();
  const auto cpu = device::make_virtual_device({.host_threads = std::thread::hardware_concurrency(),
                                                .mma_arch = architecture_of(gpu->description())});
  const auto gpu_program = gpu->load(variant.compiled->ptx, variant.compiled->ptx_file);
  const auto cpu_program = cpu->load(variant.compiled->ptx, variant.compiled->ptx_file);
  const properties::generate::CaseGenerator generator(variant.contract, kSeed);
  int differing = 0;
  for (std::int64_t i = 0; i < kCases && differing < 3; ++i) {
    const properties::Case line = generator.draw(i).problem;
    const properties::run::Problem problem = properties::run::make_problem(
        variant, line, properties::run::operands(variant.contract, line),
        properties::run::usual_poison(line));
    const device::Outcome on_gpu = gpu->run(*gpu_program, problem.job);
    const device::Outcome on_cpu = cpu->run(*cpu_program, problem.job);
    for (const Finding& finding : on_gpu.findings) ADD_FAILURE() << "GPU: " << finding.message;
    for (const Finding& finding : on_cpu.findings) ADD_FAILURE() << "virtual: " << finding.message;
    const std::string found =
        difference(on_cpu.buffers[problem.output], on_gpu.buffers[problem.output],
                   size_of(variant.contract.type_c));
    if (found.empty()) continue;
    ++differing;
    ADD_FAILURE() << to_line(problem.line) << '\n' << found;
  }
  fmt::print("{}: {} cases on {}\n", variant.contract.name, kCases, gpu->description());
}

INSTANTIATE_TEST_SUITE_P(Builtin, SameBits,
                         testing::Range(std::size_t{0}, deterministic_variants().size()),
                         [](const auto& variant) {
                           return deterministic_variants()[variant.param].contract.name;
                         });

}  // namespace
}  // namespace warpcheck
