#include "report/profile.hpp"

#include <fmt/format.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/crash.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/json_output.hpp"
#include "cli/commands/targets.hpp"
#include "cli/options/exit_status.hpp"
#include "contract/compile/resources.hpp"
#include "device/virtual/virtual_device.hpp"
#include "properties/coverage/source_coverage.hpp"
#include "properties/generate/cases.hpp"
#include "properties/run/problem.hpp"
#include "report/path.hpp"

namespace warpcheck::cli {
namespace {

using contract::Variant;
using properties::Case;
using properties::run::Problem;

/// The case that the user gave, the one of his size or of 128 x 128 x 128 or the nearest to it that
/// the contract allows, or as many as he wants, drawn as `check` draws them.
std::vector<Case> cases_of(const Variant& variant, const ProfileCommand& command) {
  const contract::Contract& contract = variant.contract;
  if (!command.line.empty()) return {properties::parse_case(command.line)};
  std::vector<Case> cases;
  if (command.cases != 0) {
    const properties::generate::CaseGenerator generator(contract, command.seed);
    for (std::int64_t i = 0; i < command.cases; ++i) cases.push_back(generator.draw(i).problem);
    return cases;
  }
  Case wish;
  wish.variant = contract.name;
  wish.m = command.size.m;
  wish.n = command.size.n;
  wish.k = command.size.k;
  const auto nearest = properties::generate::Solver(contract).project(wish);
  if (!nearest) {
    throw InputError(Diagnostic{contract.where,
                                fmt::format("found no case near m={} n={} k={} in the contract's "
                                            "domain; give one with --case",
                                            wish.m, wish.n, wish.k),
                                {}});
  }
  return {*nearest};
}

std::uint64_t compulsory_bytes(const Problem& problem) {
  const auto bytes = [&](std::size_t buffer) {
    return std::uint64_t{problem.job.buffers[buffer].extent.packed_bytes()};
  };
  return bytes(0) + bytes(1) + bytes(problem.output) * (problem.reads_c() ? 2 : 1);
}

void add(std::vector<device::InstructionCounts>& sums,
         const std::vector<device::InstructionCounts>& counts) {
  if (sums.empty()) {
    sums = counts;
    return;
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += counts[i];
}

/// The architecture that the PTX is for: "sm_80".
std::string target(const std::string& ptx) {
  const std::size_t begin = ptx.find(".target ") + 8;
  return ptx.substr(begin, ptx.find_first_of(", \n", begin) - begin);
}

void tell(const Variant& variant, const Case& line, const Finding& finding, std::ostream& out) {
  out << fmt::format(
      "{}: {}\n  {}\n  {}{}\n", variant.contract.name, name(finding.kind), finding.message,
      to_line(line),
      finding.source.line == 0
          ? ""
          : fmt::format("\n  {}:{}", report::shown_path(finding.source.file), finding.source.line));
}

struct Outcome {
  report::Profile profile;
  bool findings = false;
};

Outcome measure(const Variant& variant, const std::vector<Case>& cases, device::Device& device,
                std::ostream& out) {
  Outcome result;
  report::Profile& profile = result.profile;
  profile.variant = variant.contract.name;
  profile.source_file = variant.compiled->source_file;
  profile.source = variant.compiled->source;
  profile.architecture = target(variant.compiled->ptx);
  const auto program = device.load(variant.compiled->ptx, variant.compiled->ptx_file);
  for (const Case& line : cases) {
    Problem problem = properties::run::make_problem(
        variant, line, properties::run::operands(variant.contract, line),
        properties::run::usual_poison(line));
    if (problem.job.launches.empty()) continue;
    problem.job.count = true;
    problem.job.cover = true;
    CasesInFlight().launching(problem.line);
    const device::Outcome outcome = device.run(*program, problem.job);
    for (const Finding& finding : outcome.findings) tell(variant, problem.line, finding, out);
    result.findings |= !outcome.findings.empty();
    if (outcome.counts.empty()) continue;
    if (profile.cases.empty()) profile.launch = problem.job.launches.front();
    profile.cases.push_back(problem.line);
    profile.compulsory_bytes += compulsory_bytes(problem);
    add(profile.counts, outcome.counts);
    merge(profile.coverage,
          properties::coverage::source_coverage(variant, *program, outcome.coverage));
  }
  return result;
}

/// Assembles each PTX text once, whatever the number of its variants.
class Assembler {
 public:
  void add_resources(const Variant& variant, report::Profile& profile) {
    try {
      const std::string& file = variant.compiled->ptx_file;
      if (!outputs_.contains(file)) {
        outputs_.emplace(file, contract::assemble(*variant.compiled, profile.architecture));
      }
      profile.resources = contract::read_resources(outputs_[file], variant.entries.front().name);
      profile.no_resources = "ptxas says nothing of the kernel";
    } catch (const EnvironmentError& error) {
      profile.no_resources = error.what();
    }
  }

 private:
  std::map<std::string, std::string> outputs_;  // by the PTX file
};

/// The variants that are asked for: with a case line, the one that it names.
std::vector<Target> targets_of(const ProfileCommand& command) {
  std::vector<Target> targets = resolve_targets(std::vector{command.target});
  if (command.line.empty()) return targets;
  const std::string name = properties::parse_case(command.line).variant;
  std::erase_if(targets, [&](const Target& t) { return t.variant.contract.name != name; });
  if (targets.empty()) {
    throw InputError(Diagnostic{
        {"case", 1, 1}, fmt::format("{} has no variant called {}", command.target, name), {}});
  }
  return targets;
}

}  // namespace

int run(const ProfileCommand& command) {
  const std::vector<Target> targets = targets_of(command);
  const auto device = device::make_virtual_device(
      {.host_threads = host_threads(command.jobs), .races = false, .mma_arch = command.mma_arch});
  JsonOutput json(command.json);
  std::ostream& out = json.console();
  Assembler assembler;
  bool findings = false;
  for (const Target& target : targets) {
    const Variant& variant = target.variant;
    Outcome measured = measure(variant, cases_of(variant, command), *device, out);
    findings |= measured.findings;
    if (measured.profile.cases.empty()) {
      if (measured.findings) continue;
      throw InputError(Diagnostic{variant.contract.where, "nothing was run", {}});
    }
    assembler.add_resources(variant, measured.profile);
    out << report::text(measured.profile, command.lines) << std::flush;
    if (targets.size() > 1) out << '\n';
    json.write(report::json(measured.profile) + "\n");
  }
  return findings ? kFindings : kPassed;
}

}  // namespace warpcheck::cli
