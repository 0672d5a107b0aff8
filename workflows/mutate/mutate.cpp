#include "workflows/mutate/mutate.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <utility>

#include "base/parallel_for.hpp"
#include "base/process/interruption.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/run/source.hpp"
#include "device/interruptible_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "ptx/analysis/reachable.hpp"
#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "workflows/mutate/baseline.hpp"
#include "workflows/mutate/operators/mutants.hpp"

namespace warpcheck::workflows::mutate {
namespace {

using Clock = std::chrono::steady_clock;
using operators::Mutant;

constexpr std::size_t kReferenceBytes = std::size_t{1} << 28;

std::vector<std::string> kernels_of(const contract::Variant& variant) {
  std::vector<std::string> names;
  for (const contract::Entry& entry : variant.entries) names.push_back(entry.name);
  return names;
}

/// A variant's module, and the same module printed: there each instruction has a line of its own.
class Baseline {
 public:
  Baseline(const contract::Variant& variant, device::Device& device)
      : variant_(variant),
        module_(ptx::parse(variant.compiled->ptx, variant.compiled->ptx_file)),
        printed_(ptx::parse(ptx::to_text(module_), variant.compiled->ptx_file)),
        program_(device.load(ptx::to_text(module_), variant.compiled->ptx_file)) {
    const auto loaded = device.load(variant.compiled->ptx, variant.compiled->ptx_file);
    for (const device::ProgramFunction& function : loaded->functions_by_number()) {
      for (std::uint32_t i = 0; i < function.instructions; ++i) {
        SourcePlace place = loaded->place(function.first + i);
        places_.try_emplace({place.ptx_line, place.instruction}, std::move(place));
      }
    }
  }

  [[nodiscard]] const ptx::Module& module() const { return module_; }
  /// The program without a defect, in lines of the printed module.
  [[nodiscard]] const device::Program& program() const { return *program_; }
  [[nodiscard]] std::shared_ptr<const device::Program> load(device::Device& device,
                                                            const Mutant& mutant) const {
    return device.load(ptx::to_text(operators::mutated(module_, mutant)),
                       variant_.compiled->ptx_file);
  }

  [[nodiscard]] std::size_t printed_line(const Mutant& mutant) const {
    return printed_.functions[mutant.function].body[mutant.instruction].place.line;
  }

  /// Returns the source place of the instruction that the mutant changes.
  [[nodiscard]] SourcePlace place(const Mutant& mutant) const {
    const ptx::Function& function = module_.functions[mutant.function];
    const ptx::Instruction& instruction = function.body[mutant.instruction];
    return places_.at({instruction.place.line, ptx::to_text(module_, function, instruction)});
  }

 private:
  const contract::Variant& variant_;
  ptx::Module module_;
  ptx::Module printed_;
  std::shared_ptr<const device::Program> program_;
  std::map<std::pair<std::size_t, std::string>, SourcePlace> places_;  // keyed by PTX line and text
};

/// True if the mutant only rounds an arithmetic instruction to the other neighbour of its exact
/// result, which is evident from the operator, and the bound has room for it, as one for any order
/// of evaluation has. A conversion may round to an integer, so that its neighbours are far apart.
bool stays_within_bound(const contract::Contract& contract, const MutantReport& mutant) {
  return mutant.planted == "rounding-changed" &&
         mutant.place.facts.kind != device::InstructionKind::conversion &&
         campaign::case_schema(contract).bounds_any_order;
}

/// Runs a mutant on the recorded cases until one finds the defect. Cases on which the baseline does
/// not reach the mutated instruction are skipped: the virtual device is deterministic, so the
/// mutant would do the same as the baseline.
void run_mutant(const Baseline& baseline, const Mutant& mutant, const contract::Variant& variant,
                device::Device& device, const campaign::PropertyRotation& rotation,
                const std::vector<CaseRecord>& records, campaign::run::ReferenceCache& references,
                MutantReport& report) {
  const std::size_t line = baseline.printed_line(mutant);
  const auto program = baseline.load(device, mutant);
  bool same = true;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!records[i].reaches(line)) continue;
    ++report.reached;
    ComparingDevice compared(device, records[i].jobs, same);
    campaign::run::Context context{variant, compared, *program};
    context.references = &references;
    const auto number = static_cast<std::int64_t>(i);
    const campaign::CaseResult result =
        campaign::run_case(context, rotation.laws(number), records[i].generated);
    if (!result.failures.empty()) {
      const campaign::Failure& failure = result.failures.front();
      report.fate = Fate::killed;
      report.kill = Kill{failure.evidence.finding.kind, failure.problem, number + 1};
      return;
    }
    if (result.unsupported) return;  // its fate stays not_run
    same = compared.same();
  }
  if (report.reached == 0) {
    report.fate = Fate::not_reached;
  } else if (same) {
    report.fate = Fate::equivalent;
  } else {
    const bool within = stays_within_bound(variant.contract, report);
    report.fate = within ? Fate::within_bound : Fate::survived;
  }
}

/// Marks the mutants that no case can reach, among those that no case has reached.
void find_unreachable(const ptx::Module& module, const std::vector<Mutant>& mutants,
                      const std::vector<CaseRecord>& records, std::vector<MutantReport>& reports) {
  LaunchForms forms;
  for (const CaseRecord& record : records) {
    for (const auto& [kernel, kernel_forms] : record.forms) {
      forms[kernel].insert(kernel_forms.begin(), kernel_forms.end());
    }
  }
  std::map<std::size_t, std::vector<bool>> reachable;  // keyed by index of the function
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const ptx::Function& function = module.functions[mutants[i].function];
    if (reports[i].fate != Fate::not_reached || !forms.contains(function.name)) continue;
    std::vector<bool>& is_reachable = reachable[mutants[i].function];
    if (is_reachable.empty()) {
      is_reachable = ptx::analysis::may_be_reached(function, forms[function.name]);
    }
    if (!is_reachable[mutants[i].instruction]) reports[i].fate = Fate::unreachable;
  }
}

double share_of(std::size_t killed, std::size_t others) {
  const std::size_t all = killed + others;
  return all == 0 ? 1.0 : static_cast<double>(killed) / static_cast<double>(all);
}

void add(Score& score, Fate fate) {
  score.killed += fate == Fate::killed ? 1 : 0;
  score.survived += fate == Fate::survived ? 1 : 0;
  score.not_reached += fate == Fate::not_reached ? 1 : 0;
  score.unreachable += fate == Fate::unreachable ? 1 : 0;
  score.equivalent += fate == Fate::equivalent ? 1 : 0;
  score.within_bound += fate == Fate::within_bound ? 1 : 0;
}

void add_scores(const std::vector<Mutant>& possible, MutationReport& report) {
  for (const operators::Operator& planted : operators::operators()) {
    OperatorScore of{planted.name, planted.statement, {}, 0.0};
    of.score.possible = static_cast<std::size_t>(
        std::count_if(possible.begin(), possible.end(),
                      [&](const Mutant& mutant) { return mutant.planted == &planted; }));
    if (of.score.possible == 0) continue;
    std::int64_t cases = 0;
    for (const MutantReport& mutant : report.mutants) {
      if (mutant.planted != planted.name) continue;
      add(of.score, mutant.fate);
      if (mutant.kill) cases += mutant.kill->cases;
    }
    if (of.score.killed != 0) {
      of.mean_cases = static_cast<double>(cases) / static_cast<double>(of.score.killed);
    }
    report.score += of.score;
    report.operators.push_back(of);
  }
}

}  // namespace

std::string_view name(Fate fate) {
  switch (fate) {
    case Fate::killed:
      return "killed";
    case Fate::survived:
      return "survived";
    case Fate::not_reached:
      return "not-reached";
    case Fate::unreachable:
      return "unreachable";
    case Fate::equivalent:
      return "equivalent";
    case Fate::within_bound:
      return "within-bound";
    case Fate::not_run:
      return "not-run";
  }
  return {};
}

double Score::share() const { return share_of(killed, survived + not_reached); }

double Score::least_share() const {
  return share_of(killed, survived + not_reached + within_bound);
}

Score& Score::operator+=(const Score& other) {
  possible += other.possible;
  killed += other.killed;
  survived += other.survived;
  not_reached += other.not_reached;
  unreachable += other.unreachable;
  equivalent += other.equivalent;
  within_bound += other.within_bound;
  return *this;
}

MutationReport mutate(const contract::Variant& variant, const MutationOptions& options,
                      const MutationProgress& progress) {
  const Clock::time_point start = Clock::now();
  const auto uninterrupted = device::make_virtual_device();
  device::InterruptibleDevice interruptible(*uninterrupted);
  device::Device* const device = &interruptible;
  const campaign::PropertyRotation rotation(options.properties, variant.contract);
  const unsigned jobs = job_count(options.jobs);
  const Baseline baseline(variant, *device);
  const std::vector<Mutant> possible = operators::mutants(baseline.module(), kernels_of(variant));
  const std::vector<Mutant> sampled = operators::sample(possible, options.mutants, options.seed);

  MutationReport report;
  report.variant = variant.contract.name;
  report.cases = options.cases;
  report.mutants.resize(sampled.size());
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    MutantReport& mutant = report.mutants[i];
    mutant.planted = sampled[i].planted->name;
    mutant.place = baseline.place(sampled[i]);
    mutant.excerpt = campaign::run::excerpt(variant, mutant.place);
    mutant.after = operators::text_after(baseline.module(), sampled[i]);
  }
  if (!options.only_list) try {
      campaign::run::ReferenceCache references(kReferenceBytes);
      const auto records = record_cases(variant, *device, baseline.program(), rotation,
                                        options.cases, options.seed, jobs, references);
      std::mutex progress_mutex;
      std::size_t done = 0;
      parallel_for(sampled.size(), jobs, [&](std::size_t i) {
        run_mutant(baseline, sampled[i], variant, *device, rotation, records, references,
                   report.mutants[i]);
        const std::lock_guard lock(progress_mutex);
        ++done;
        if (progress) progress(done, sampled.size());
      });
      find_unreachable(baseline.module(), sampled, records, report.mutants);
    } catch (const Interrupted&) {
      report.interrupted = true;
    }
  add_scores(possible, report);
  report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return report;
}

}  // namespace warpcheck::workflows::mutate
