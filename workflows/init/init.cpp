#include "workflows/init/init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "base/diagnostic.hpp"
#include "campaign/options.hpp"
#include "workflows/init/draft/requires_probe.hpp"
#include "workflows/init/instance_guesses.hpp"
#include "workflows/init/kernel_compiler.hpp"

namespace warpcheck::workflows::init {
namespace {

using campaign::CampaignOptions;
using campaign::VariantReport;
using campaign::Verdict;

constexpr std::uint64_t kPartOfWork = 5;  // divisor of the work that `check` spends on one finding

struct KernelInstance {
  const KernelDeclaration* kernel = nullptr;
  Instance instance;
};

CampaignOptions campaign_options(const InitOptions& options) {
  CampaignOptions campaign;
  campaign.cases = options.cases;
  campaign.seed = options.seed;
  campaign.budget_seconds = options.check_seconds;
  campaign.shrink = false;
  campaign.sizes.strict_launch = true;  // a refused grid gives a bound for `requires`
  return campaign;
}

/// Adds the `requires` that the kernel needs, and checks the contract.
void choose_requires(Draft& draft, const TileSteps& steps, const Trial& trial,
                     const Trial::Screening& screening, const InitOptions& options,
                     GuessedContract& result) {
  const auto conditions = probe_requires(draft, steps, trial, screening);
  if (!conditions) return;
  draft = with_conditions(std::move(draft), *conditions, kNeeded);
  const CampaignOptions campaign = campaign_options(options);
  auto report = check_within_grid_limits(draft, trial, campaign);
  if (!report || report->verdict != Verdict::finding) {
    result.report = std::move(report);
    return;
  }
  CampaignOptions ordinary = campaign;
  ordinary.max_size = kOrdinarySize;
  auto smaller = trial.check_if_valid(draft, ordinary);
  if (!smaller || smaller->verdict == Verdict::finding) return;
  result.failure_beyond = report->findings.front();
  result.report = std::move(smaller);
}

/// The report of a contract that fails: its finding is minimized.
void report_failure(const Draft& draft, const Trial& trial, const InitOptions& options,
                    GuessedContract& result) {
  CampaignOptions campaign = campaign_options(options);
  campaign.shrink = true;
  campaign.shrink_work /= kPartOfWork;
  result.report = trial.check_if_valid(draft, campaign);
}

/// Marks the values that differ from the most likely ones.
void note_choices(const Draft& first, Draft& draft) {
  constexpr const char* kNote = "guessed: the most likely value that passes";
  const bool has_todo = draft.notes["arguments"].starts_with("TODO");
  if (draft.arguments != first.arguments && !has_todo) draft.notes["arguments"] = kNote;
  if (draft.column != first.column) draft.notes["layout"] = kNote;
  if (draft.block != first.block) draft.notes["block"] = kNote;
  if (draft.grid != first.grid) draft.notes["grid"] = kNote;
  if (draft.shared > 0) draft.notes["shared"] = "guessed: a power of two that passes";
  if (!draft.requires_.empty()) draft.notes["requires"] = "guessed from the parameters";
}

void check_alternatives(const InstanceGuesses& found, const CompiledKernel& compiled,
                        device::Device& device, const InitOptions& options,
                        GuessedContract& result) {
  const Trial trial(compiled, device, options.jobs);
  const SearchResult best =
      search(found.guesses, trial, options.most_trials, options.search_seconds);
  Draft draft = best.draft;
  result.tried = best.tried;
  note_choices(first_guess(found.guesses).draft, draft);
  if (best.passed > 0) {
    const TileSteps steps =
        tile_steps(draft, {best.geometry.tile_m, best.geometry.tile_n, found.step_k});
    choose_requires(draft, steps, trial, best.screening, options, result);
  }
  if (!result.report) report_failure(draft, trial, options, result);
  result.draft = std::move(draft);
}

/// Replaces a contract of a matrix product that is impossible or fails. One that fails is kept if
/// the kernel is likely to be a product, and no known operation shows otherwise.
void check_operations(const InstanceGuesses& found, const CompiledKernel* compiled,
                      device::Device& device, const InitOptions& options, GuessedContract& result) {
  std::optional<Trial> trial;
  if (compiled != nullptr) trial.emplace(*compiled, device, options.jobs);
  OperationGuess guess =
      guess_operation(found.operation, trial ? &*trial : nullptr, campaign_options(options),
                      {options.most_trials_of_operations, options.search_seconds});
  result.tried += guess.tried;
  result.is_incomplete = guess.is_incomplete;
  if (!guess.draft) {
    result.no_contract = found.not_a_product;
    return;
  }
  const bool has_defect =
      !guess.fits && guess.failure && !may_be_of_contract(guess.failure->finding.kind);
  if (found.not_a_product.empty() && found.is_likely_product && !guess.report && !has_defect) {
    result.may_be_other = guess.tried > 0;
    return;
  }
  result.is_undefined = !guess.report;
  if (!guess.fits) result.failure_of_any = std::move(guess.failure);
  result.failure_without_limits = std::move(guess.failure_without_limits);
  result.draft = std::move(*guess.draft);
  result.report = std::move(guess.report);
}

std::vector<KernelInstance> instances_in(const SourceText& source,
                                         const std::vector<KernelDeclaration>& kernels,
                                         const std::vector<KernelLaunch>& launches) {
  std::vector<KernelInstance> instances;
  for (const KernelDeclaration& kernel : kernels) {
    for (Instance& instance : instances_of(kernel, source, launches)) {
      instances.push_back({&kernel, std::move(instance)});
    }
  }
  return instances;
}

std::vector<CompiledInstance> compiled_instances(const SourceText& source,
                                                 const std::vector<KernelInstance>& instances,
                                                 std::string& no_compiler) {
  std::vector<InstanceToCompile> wanted;
  for (const KernelInstance& one : instances) {
    wanted.push_back({instance_name(*one.kernel, one.instance), one.kernel->parameters.size(), {}});
  }
  try {
    return compile_instances(source.main, wanted);
  } catch (const EnvironmentError& error) {
    no_compiler = error.what();
    return std::vector<CompiledInstance>(wanted.size(), {std::nullopt, error.what()});
  }
}

/// Compiles again for the architecture that the guesses require.
CompiledKernel for_architecture(const SourceText& source, const KernelInstance& one,
                                const Draft& draft, CompiledKernel compiled) {
  if (draft.architecture.empty()) return compiled;
  auto again = compile_instances(
      source.main, {{draft.kernel, one.kernel->parameters.size(), draft.architecture}});
  return again.front().kernel ? std::move(*again.front().kernel) : std::move(compiled);
}

/// Gives every contract a name of its own.
void make_names_unique(std::vector<GuessedContract>& contracts) {
  std::set<std::string> names;
  for (GuessedContract& contract : contracts) {
    const std::string name = contract.draft.name;
    for (int i = 2; !names.insert(contract.draft.name).second; ++i) {
      contract.draft.name = fmt::format("{}_{}", name, i);
    }
  }
}

}  // namespace

InitReport init(const std::filesystem::path& file, const InitOptions& options,
                device::Device& device) {
  const auto start = std::chrono::steady_clock::now();
  const SourceText source = read_source(file);
  const std::vector<KernelDeclaration> kernels = kernels_in(source);
  if (kernels.empty()) {
    throw InputError(Diagnostic{{file.string(), 0, 0}, "no __global__ function in this file", {}});
  }
  const std::vector<KernelLaunch> launches = launches_in(source);
  const std::vector<KernelInstance> instances = instances_in(source, kernels, launches);
  InitReport report;
  const std::vector<CompiledInstance> compiled =
      compiled_instances(source, instances, report.no_compiler);
  report.file = file.string();
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const KernelInstance& one = instances[i];
    const CompiledKernel* const kernel = compiled[i].kernel ? &*compiled[i].kernel : nullptr;
    const InstanceGuesses found = guesses_for(source, *one.kernel, one.instance, kernel);
    GuessedContract contract;
    contract.line = one.kernel->place.line;
    contract.not_compiled = compiled[i].error;
    contract.draft = first_guess(found.guesses).draft;
    std::optional<CompiledKernel> checked;
    if (options.check && kernel != nullptr) {
      checked = for_architecture(source, one, contract.draft, *kernel);
    }
    if (checked && found.not_a_product.empty()) {
      check_alternatives(found, *checked, device, options, contract);
    }
    const bool fails = contract.report && !contract.report->findings.empty();
    const bool is_unchecked = !contract.report && !found.is_likely_product;
    if (!found.not_a_product.empty() || fails || is_unchecked) {
      check_operations(found, checked ? &*checked : nullptr, device, options, contract);
    }
    report.contracts.push_back(std::move(contract));
  }
  make_names_unique(report.contracts);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

std::string contract_text(const InitReport& report) {
  std::string text;
  for (const GuessedContract& contract : report.contracts) {
    if (!contract.no_contract.empty()) {
      text += fmt::format("# TODO: no contract for {}: {}\n\n", contract.draft.kernel,
                          contract.no_contract);
    } else {
      text += to_toml(contract.draft) + "\n";
    }
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace warpcheck::workflows::init
