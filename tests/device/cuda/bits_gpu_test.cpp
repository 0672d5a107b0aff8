// The virtual device and a GPU compute the same bits of the outputs for every built-in variant
// whose contract declares it deterministic, and for the operations that use no approximate
// instruction, whose last bits are not public.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <thread>

#include "base/diagnostic.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/run/problem.hpp"
#include "contract/compile/variant.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "tests/gpu/architecture.hpp"

namespace warpcheck {
namespace {

constexpr std::int64_t kCases = 500;
constexpr std::uint64_t kSeed = 1;

/// The text from the variant's entry to the next one.
std::string_view text_of_entry(const contract::Variant& variant, std::size_t number) {
  const std::string_view ptx = variant.compiled->ptx;
  const std::size_t begin = ptx.find(".entry " + variant.entries[number].name + "(");
  if (begin == std::string_view::npos) return ptx;
  return ptx.substr(begin, ptx.find(".entry ", begin + 1) - begin);
}

bool has_exact_results(const contract::Variant& variant) {
  if (variant.contract.tensors == nullptr) return variant.contract.deterministic;
  for (std::size_t i = 0; i < variant.entries.size(); ++i) {
    const std::string_view text = text_of_entry(variant, i);
    for (const std::string_view word : {".approx", "div.full", "ex2.", "atom.", "red."}) {
      if (text.find(word) != std::string_view::npos) return false;
    }
  }
  return true;
}

/// The variants whose results repeat bit for bit. Empty if the build had no nvcc.
std::vector<contract::Variant> deterministic_variants() try {
  std::vector<contract::Variant> variants = contract::builtin_variants();
  std::erase_if(variants, [](const auto& variant) { return !has_exact_results(variant); });
  return variants;
} catch (const EnvironmentError&) {
  return {};
}

/// Compiled once.
const contract::Variant& tested_variant(std::size_t number) {
  static const std::vector<contract::Variant> variants = deterministic_variants();
  return variants.at(number);
}

class SameBits : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!device::cuda::available()) GTEST_SKIP() << "no NVIDIA GPU on this machine";
  }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SameBits);

/// Describes the first difference of a buffer; empty if there is none.
std::string difference(std::size_t buffer, const std::vector<std::byte>& on_virtual,
                       const std::vector<std::byte>& on_gpu, std::size_t element_bytes) {
  const auto [left, right] = std::ranges::mismatch(on_virtual, on_gpu);
  if (right == on_gpu.end()) return {};
  const auto element = static_cast<std::size_t>(right - on_gpu.begin()) / element_bytes;
  const auto bits = [&](const std::vector<std::byte>& bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + element * element_bytes, element_bytes);
    return fmt::format("0x{:0{}x}", value, 2 * element_bytes);
  };
  return fmt::format("element {} of buffer {} is {} on the virtual device, {} on the GPU", element,
                     buffer, bits(on_virtual), bits(on_gpu));
}

TEST_P(SameBits, OnTheVirtualDeviceAndOnTheGpu) {
  const contract::Variant& variant = tested_variant(GetParam());
  const auto gpu = device::cuda::open();
  const auto cpu = device::make_virtual_device({.host_threads = std::thread::hardware_concurrency(),
                                                .mma_arch = architecture_of(gpu->description())});
  const auto gpu_program = gpu->load(variant.compiled->ptx, variant.compiled->ptx_file);
  const auto cpu_program = cpu->load(variant.compiled->ptx, variant.compiled->ptx_file);
  const campaign::generate::CaseGenerator cases(variant, {.seed = kSeed});
  int differing = 0;
  for (std::int64_t i = 0; i < kCases && differing < 3; ++i) {
    const campaign::Case line = cases.draw(i).problem;
    const campaign::run::Problem problem =
        campaign::run::make_problem(variant, line, campaign::run::operands(variant.contract, line),
                                    campaign::run::usual_poison(line));
    const device::Outcome on_gpu = gpu->run(*gpu_program, problem.job);
    const device::Outcome on_cpu = cpu->run(*cpu_program, problem.job);
    for (const Finding& finding : on_gpu.findings) ADD_FAILURE() << "GPU: " << finding.message;
    for (const Finding& finding : on_cpu.findings) {
      if (is_note(finding.grade, {})) continue;
      ADD_FAILURE() << "virtual: " << finding.message;
    }
    std::vector<std::size_t> outputs = problem.other_outputs;
    outputs.insert(outputs.begin(), problem.output);
    for (const std::size_t output : outputs) {
      const std::string found =
          difference(output, on_cpu.buffers[output], on_gpu.buffers[output],
                     variant.contract.tensors ? 1 : size_of(variant.contract.type_c));
      if (found.empty()) continue;
      ++differing;
      ADD_FAILURE() << to_line(problem.line) << '\n' << found;
    }
  }
  fmt::print("{}: {} cases on {}\n", variant.contract.name, kCases, gpu->description());
}

INSTANTIATE_TEST_SUITE_P(Builtin, SameBits,
                         testing::Range(std::size_t{0}, deterministic_variants().size()),
                         [](const auto& number) {
                           return tested_variant(number.param).contract.name;
                         });

}  // namespace
}  // namespace warpcheck
