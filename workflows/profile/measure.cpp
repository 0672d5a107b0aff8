#include "workflows/profile/measure.hpp"

#include "base/diagnostic.hpp"
#include "contract/compile/resources.hpp"
#include "properties/coverage/source_coverage.hpp"
#include "properties/run/problem.hpp"
#include "properties/run/run_model.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::workflows::profile {
namespace {

using contract::Variant;
using properties::Case;
using properties::run::Problem;

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
                    properties::campaign::Listener& listener) {
  Measurement result;
  Profile& profile = result.profile;
  profile.variant = variant.contract.name;
  profile.source_file = variant.compiled->source_file;
  profile.source = variant.compiled->source;
  profile.architecture = std::string(ptx::target_architecture(variant.compiled->ptx));
  const auto program = device.load(variant.compiled->ptx, variant.compiled->ptx_file);
  for (const Case& line : cases) {
    Problem problem = properties::run::make_problem(
        variant, line, properties::run::operands(variant.contract, line),
        properties::run::usual_poison(line));
    if (problem.job.launches.empty()) continue;
    problem.job.count = true;
    problem.job.cover = true;
    listener.launching(problem.line);
    const device::Outcome outcome = device.run(*program, problem.job);
    for (const Finding& finding : outcome.findings) {
      result.findings.push_back({problem.line, finding});
    }
    if (outcome.unsupported) {
      add(result.unsupported, properties::campaign::UnsupportedForm{*outcome.unsupported, line});
    }
    if (outcome.counts.empty()) continue;
    if (profile.cases.empty()) profile.launch = problem.job.launches.front();
    profile.cases.push_back(problem.line);
    profile.compulsory_bytes +=
        properties::model_of<properties::run::RunModel>(variant.contract).compulsory_bytes(problem);
    add(profile.counts, outcome.counts);
    merge(profile.coverage,
          properties::coverage::source_coverage(variant, *program, outcome.coverage));
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
