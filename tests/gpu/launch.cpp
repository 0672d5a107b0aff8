// warpcheck_launch KERNELS CASES: launches each case line once on an NVIDIA GPU, in this process,
// with every matrix in a separate allocation of its exact size. Tools that observe a process
// (Nsight Compute, compute-sanitizer) need this, because `warpcheck --device cuda` starts worker
// processes and keeps all matrices in one allocation.
//
//   KERNELS  a folder of kernels compiled by warpcheck-compile-kernel
//   CASES    a file of case lines, or one case line; cases outside the domain are skipped
//
// Exit status: 0 all launched and completed; 1 a launch failed; 2 usage; 3 no usable GPU.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.hpp"
#include "contract/compile/prebuilt.hpp"
#include "device/cuda/driver_api.hpp"
#include "device/cuda/driver_error.hpp"
#include "properties/case/domain.hpp"
#include "properties/run/problem.hpp"

namespace {

using namespace warpcheck;
namespace cuda = device::cuda;

constexpr int kGenerateLineInfo = 13;  // CU_JIT_GENERATE_LINE_INFO

class Gpu {
 public:
  Gpu() : driver_(cuda::open_driver()) {
    int device = 0;
    cuda::Context context = nullptr;
    int result = driver_.init(0);
    if (result == cuda::kSuccess) result = driver_.device_get(&device, 0);
    if (result == cuda::kSuccess) result = driver_.device_primary_ctx_retain(&context, device);
    if (result == cuda::kSuccess) result = driver_.ctx_set_current(context);
    if (result != cuda::kSuccess) throw EnvironmentError("no GPU: " + describe(driver_, result));
  }

  void run(const warpcheck::contract::Variant& variant, const device::Job& job) {
    std::vector<cuda::DeviceAddress> addresses;
    for (const device::Buffer& buffer : job.buffers) addresses.push_back(place(buffer));
    for (const device::Launch& launch : job.launches) {
      this->launch(module_of(variant), launch, addresses);
    }
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
      check(driver_.mem_free(addresses[i] - job.buffers[i].shift_bytes), "free");
    }
  }

 private:
  void check(int result, const std::string& what) const {
    if (result == cuda::kSuccess) return;
    throw std::runtime_error(fmt::format("{}: {}", what, describe(driver_, result)));
  }

  cuda::Module module_of(const warpcheck::contract::Variant& variant) {
    auto [at, is_new] = modules_.try_emplace(variant.compiled->ptx_file, nullptr);
    if (!is_new) return at->second;
    std::array<int, 1> options = {kGenerateLineInfo};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver takes numbers as pointers
    std::array<void*, 1> values = {reinterpret_cast<void*>(std::uintptr_t{1})};
    check(driver_.module_load_data_ex(&at->second, variant.compiled->ptx.c_str(), options.size(),
                                      options.data(), values.data()),
          "load");
    return at->second;
  }

  /// Returns the address of the buffer's first byte. Copies row by row: the padding between rows
  /// and a buffer without values stay uninitialized.
  cuda::DeviceAddress place(const device::Buffer& buffer) const {
    cuda::DeviceAddress address = 0;
    check(driver_.mem_alloc(&address,
                            std::max<std::size_t>(1, buffer.shift_bytes + buffer.extent.bytes())),
          "allocate");
    address += buffer.shift_bytes;
    for (std::size_t row = 0; buffer.initialized && row < buffer.extent.slices * buffer.extent.rows;
         ++row) {
      const std::size_t begin = buffer.extent.row_begin(row);
      if (buffer.extent.row_bytes == 0) continue;
      check(driver_.memcpy_host_to_device(address + begin, buffer.bytes.data() + begin,
                                          buffer.extent.row_bytes),
            "copy");
    }
    return address;
  }

  void launch(cuda::Module module, const device::Launch& launch,
              const std::vector<cuda::DeviceAddress>& addresses) const {
    cuda::Function function = nullptr;
    check(driver_.module_get_function(&function, module, launch.entry.c_str()), launch.entry);
    std::vector<std::array<std::byte, 8>> storage;
    for (const device::Argument& argument : launch.arguments) {
      if (const auto* scalar = std::get_if<device::Scalar>(&argument)) {
        storage.push_back(scalar->bytes);
        continue;
      }
      const auto& buffer = std::get<device::BufferAddress>(argument);
      const cuda::DeviceAddress address = addresses[buffer.buffer] + buffer.offset;
      std::memcpy(storage.emplace_back().data(), &address, sizeof address);
    }
    std::vector<void*> arguments;
    for (auto& bytes : storage) arguments.push_back(bytes.data());
    if (launch.shared_bytes > 0) {
      check(driver_.func_set_attribute(function, cuda::constant::kMaxDynamicSharedSizeBytes,
                                       static_cast<int>(launch.shared_bytes)),
            "shared memory");
    }
    check(driver_.launch_kernel(function, launch.grid.x, launch.grid.y, launch.grid.z,
                                launch.block.x, launch.block.y, launch.block.z,
                                static_cast<unsigned>(launch.shared_bytes), nullptr,
                                arguments.data(), nullptr),
          "launch");
    int result = cuda::kNotReady;
    while (result == cuda::kNotReady) result = driver_.stream_query(nullptr);
    check(result, "run");
  }

  cuda::DriverApi driver_;
  std::map<std::string, cuda::Module> modules_;
};

std::vector<warpcheck::properties::Case> read_cases(const std::string& what) {
  std::error_code ignored;  // a case line may be too long for the name of a file
  if (!std::filesystem::is_regular_file(what, ignored))
    return {warpcheck::properties::parse_case(what)};
  std::stringstream text;
  text << std::ifstream(what).rdbuf();
  return warpcheck::properties::parse_cases(text.str(), what);
}

void launch_all(const std::string& folder, const std::string& what) {
  const std::vector<warpcheck::properties::Case> cases = read_cases(what);
  const std::vector<warpcheck::contract::Variant> variants =
      warpcheck::contract::read_prebuilt(folder);
  Gpu gpu;
  for (const warpcheck::properties::Case& line : cases) {
    const auto variant = std::find_if(variants.begin(), variants.end(), [&](const auto& candidate) {
      return candidate.contract.name == line.variant;
    });
    if (variant == variants.end()) {
      throw InputError(Diagnostic{{folder}, "contains no variant " + line.variant, {}});
    }
    if (const auto condition = warpcheck::properties::violated(variant->contract, line)) {
      fmt::print("outside the domain, which requires {}: {}\n", *condition,
                 warpcheck::properties::to_line(line));
      continue;
    }
    const warpcheck::properties::run::Problem problem = warpcheck::properties::run::make_problem(
        *variant, line, warpcheck::properties::run::operands(variant->contract, line),
        warpcheck::properties::run::usual_poison(line));
    gpu.run(*variant, problem.job);
    for (std::size_t i = 0; i < problem.job.launches.size(); ++i) {
      fmt::print("launched {}\n", warpcheck::properties::to_line(line));
    }
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: warpcheck_launch KERNELS CASES\n");
    return 2;
  }
  try {
    launch_all(argv[1], argv[2]);
    return 0;
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      fmt::print(stderr, "{}", render(diagnostic));
    }
    return 2;
  } catch (const EnvironmentError& error) {
    fmt::print(stderr, "warpcheck_launch: {}\n", error.what());
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpcheck_launch: {}\n", error.what());
    return 1;
  }
}
