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
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/run/problem.hpp"
#include "contract/compile/prebuilt.hpp"
#include "device/cuda/driver/direct_gpu.hpp"

namespace {

using namespace warpcheck;
namespace cuda = device::cuda;

void run(cuda::DirectGpu& gpu, const contract::Variant& variant, const device::Job& job) {
  const std::vector<cuda::DeviceAddress> addresses = gpu.place(job.buffers);
  for (const device::Launch& launch : job.launches) {
    auto call = gpu.prepare(gpu.load(variant.compiled->ptx), launch, addresses);
    gpu.launch(call);
    gpu.wait();
  }
  gpu.release();
}

std::vector<warpcheck::campaign::Case> read_cases(const std::string& what) {
  std::error_code ignored;  // a case line may be too long for the name of a file
  if (!std::filesystem::is_regular_file(what, ignored))
    return {warpcheck::campaign::parse_case(what)};
  std::stringstream text;
  text << std::ifstream(what).rdbuf();
  return warpcheck::campaign::parse_cases(text.str(), what);
}

void launch_all(const std::string& folder, const std::string& what) {
  const std::vector<warpcheck::campaign::Case> cases = read_cases(what);
  const std::vector<warpcheck::contract::Variant> variants =
      warpcheck::contract::read_prebuilt(folder);
  cuda::DirectGpu gpu;
  for (const warpcheck::campaign::Case& line : cases) {
    const auto variant = std::find_if(variants.begin(), variants.end(), [&](const auto& candidate) {
      return candidate.contract.name == line.variant;
    });
    if (variant == variants.end()) {
      throw InputError(Diagnostic{{folder}, "contains no variant " + line.variant, {}});
    }
    if (const auto condition = warpcheck::campaign::violated(variant->contract, line)) {
      fmt::print("outside the domain, which requires {}: {}\n", *condition,
                 warpcheck::campaign::to_line(line));
      continue;
    }
    const warpcheck::campaign::run::Problem problem = warpcheck::campaign::run::make_problem(
        *variant, line, warpcheck::campaign::run::operands(variant->contract, line),
        warpcheck::campaign::run::usual_poison(line));
    run(gpu, *variant, problem.job);
    for (std::size_t i = 0; i < problem.job.launches.size(); ++i) {
      fmt::print("launched {}\n", warpcheck::campaign::to_line(line));
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
