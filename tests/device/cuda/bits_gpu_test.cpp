// The virtual device and the silicon: the same D, bit for bit, for every built-in FP32 variant.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>
#include <thread>

#include "base/diagnostic.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "kernels/contract/variant.hpp"
#include "properties/generate/cases.hpp"
#include "properties/problem.hpp"

namespace warpcheck {
namespace {

constexpr std::int64_t kCases = 500;
constexpr std::uint64_t kSeed = 1;

/// None where the build had no nvcc.
std::vector<kernels::Variant> f32_variants() try {
  std::vector<kernels::Variant> variants;
  for (kernels::Variant& variant : kernels::builtin_variants()) {
    const auto& contract = variant.contract;
    // Bits can be asked only of a kernel that repeats them.
    if (contract.type_c == ScalarType::f32 && contract.deterministic) {
      variants.push_back(std::move(variant));
    }
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

/// Where the two first differ, in words; empty where they do not.
std::string difference(const std::vector<std::byte>& virtual_bytes,
                       const std::vector<std::byte>& gpu_bytes) {
  for (std::size_t at = 0; at + 4 <= gpu_bytes.size(); at += 4) {
    std::uint32_t on_virtual = 0;
    std::uint32_t on_gpu = 0;
    std::memcpy(&on_virtual, virtual_bytes.data() + at, 4);
    std::memcpy(&on_gpu, gpu_bytes.data() + at, 4);
    if (on_virtual != on_gpu) {
      return fmt::format(
          "element {} of D's buffer is 0x{:08x} on the virtual device, 0x{:08x} on "
          "the GPU",
          at / 4, on_virtual, on_gpu);
    }
  }
  return {};
}

TEST_P(SameBits, OnTheVirtualDeviceAndOnTheGpu) {
  const kernels::Variant variant = f32_variants().at(GetParam());
  const auto gpu = device::cuda::open();
  const auto cpu =
      device::make_virtual_device({.host_threads = std::thread::hardware_concurrency()});
  const auto gpu_program = gpu->load(variant.compiled->ptx, variant.compiled->ptx_file);
  const auto cpu_program = cpu->load(variant.compiled->ptx, variant.compiled->ptx_file);
  const properties::CaseGenerator generator(variant.contract, kSeed);
  int differing = 0;
  for (std::int64_t i = 0; i < kCases && differing < 3; ++i) {
    const properties::Case line = generator.draw(i).problem;
    const properties::Problem problem =
        make_problem(variant, line, operands(variant.contract, line), usual_poison(line));
    const device::Outcome on_gpu = gpu->run(*gpu_program, problem.job);
    const device::Outcome on_cpu = cpu->run(*cpu_program, problem.job);
    for (const Finding& finding : on_gpu.findings) ADD_FAILURE() << "GPU: " << finding.message;
    for (const Finding& finding : on_cpu.findings) ADD_FAILURE() << "virtual: " << finding.message;
    const std::string found =
        difference(on_cpu.buffers[problem.output], on_gpu.buffers[problem.output]);
    if (found.empty()) continue;
    ++differing;
    ADD_FAILURE() << to_line(problem.line) << '\n' << found;
  }
  fmt::print("{}: {} cases on {}\n", variant.contract.name, kCases, gpu->description());
}

INSTANTIATE_TEST_SUITE_P(Builtin, SameBits, testing::Range(std::size_t{0}, f32_variants().size()),
                         [](const auto& variant) {
                           return f32_variants()[variant.param].contract.name;
                         });

}  // namespace
}  // namespace warpcheck
