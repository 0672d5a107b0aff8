#include "workflows/profile/measure.hpp"

#include "base/diagnostic.hpp"
#include "campaign/coverage/source_coverage.hpp"
#include "campaign/run/problem.hpp"
#include "contract/compile/resources.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::workflows::profile {
namespace {

using campaign::Case;
using campaign::run::Problem;
using contract::Variant;

void add(std::vector<device::InstructionCounts>& sums,
         const std::vector<device::InstructionCounts>& counts) {
  if (sums.empty()) {
    sums = counts;
    return;
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += counts[i];
}

}  // namespace

Measurement measure(const Variant& variant, std::span<const Case> cases, device::Device& device,
                    campaign::Listener& listener) {
  Measurement result;
  Profile& profile = result.profile;
  profile.variant = variant.contract.name;
  profile.source_file = variant.compiled->source_file;
  profile.source = variant.compiled->source;
  profile.architecture = std::string(ptx::target_architecture(variant.compiled->ptx));
  const auto program = device.load(variant.compiled->ptx, variant.compiled->ptx_file);
  for (const Case& line : cases) {
    Problem problem = campaign::run::usual_problem(variant, line);
    if (problem.job.launches.empty()) continue;
    problem.job.count = true;
    problem.job.cover = true;
    listener.launching(problem.line);
    const device::Outcome outcome = device.run(*program, problem.job);
    for (const Finding& finding : outcome.findings) {
      result.findings.push_back({problem.line, finding});
    }
    if (outcome.unsupported) {
      add(result.unsupported, campaign::UnsupportedForm{*outcome.unsupported, line});
    }
    if (outcome.counts.empty()) continue;
    if (profile.cases.empty()) profile.launch = problem.job.launches.front();
    profile.cases.push_back(problem.line);
    profile.compulsory_bytes += campaign::run::compulsory_bytes(problem);
    add(profile.counts, outcome.counts);
    merge(profile.coverage,
          campaign::coverage::source_coverage(variant, *program, outcome.coverage));
  }
  return result;
}

void ResourceReader::add_resources(const Variant& variant, Profile& profile) {
  try {
    const std::string& file = variant.compiled->ptx_file;
    if (!outputs_.contains(file)) {
      outputs_.emplace(file, contract::assemble(*variant.compiled, profile.architecture));
    }
    profile.resources = contract::read_resources(outputs_[file], variant.entries.front().name);
    profile.no_resources = "ptxas reports nothing about the kernel";
  } catch (const EnvironmentError& error) {
    profile.no_resources = error.what();
  }
}

}  // namespace warpcheck::workflows::profile
