#include "workflows/bench/virtual_bench.hpp"

#include <fstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "campaign/run/problem.hpp"
#include "workflows/bench/spot_check.hpp"

namespace warpcheck::workflows::bench {

using campaign::run::Problem;

std::string processor() {
  constexpr std::string_view kKey = "model name";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(kKey) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

Result measure_virtual(const contract::Variant& variant, const campaign::Case& line,
                       device::Device& device, const VirtualOptions& options) {
  const Problem problem = campaign::run::usual_problem(variant, line);
  const auto program = device.load(variant.compiled->ptx, variant.compiled->ptx_file);
  Result result = result_of(problem);
  result.no_cublas = result.counts_operations() ? "the virtual device" : "no product of matrices";
  std::vector<double> seconds;
  for (int round = 0; round <= options.rounds; ++round) {
    const device::Outcome outcome = device.run(*program, problem.job);
    if (outcome.unsupported) throw std::runtime_error("unsupported: " + outcome.unsupported->form);
    for (const Finding& finding : outcome.findings) {
      if (!is_note(finding.grade, {})) throw std::runtime_error(options.sentence(finding));
    }
    if (round == 0) {
      result.wrong = wrong_element(problem, [&](std::size_t buffer) -> std::vector<std::byte> {
        return outcome.buffers[buffer];
      });
    } else {
      seconds.push_back(outcome.seconds);
    }
  }
  result.seconds = summarize(seconds);
  return result;
}

}  // namespace warpcheck::workflows::bench
