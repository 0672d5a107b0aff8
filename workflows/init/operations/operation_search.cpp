#include "workflows/init/operations/operation_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "workflows/init/draft/requires_probe.hpp"
#include "workflows/init/operations/operation_frame.hpp"

namespace warpcheck::workflows::init {
namespace {

using Clock = std::chrono::steady_clock;
using properties::campaign::CampaignOptions;
using properties::campaign::FindingReport;
using properties::campaign::VariantReport;
using properties::campaign::Verdict;

constexpr std::int64_t kScreeningCases = 6;
constexpr std::int64_t kScreeningSize = 300;

/// A frame whose kernel may need conditions.
struct LimitedFrame {
  Frame frame;
  bool is_misaligned = false;
  std::vector<KnownOperation> known;
};

/// The inputs are in the order of the parameters.
Assignment first_assignment(const Roles& roles, std::size_t output) {
  Assignment assignment{output, roles.buffers, roles.extent_names()};
  std::erase(assignment.inputs, output);
  return assignment;
}

class OperationSearch {
 public:
  OperationSearch(const OperationKernel& kernel, Roles roles, const Trial* trial,
                  const CampaignOptions& options, double most_seconds)
      : kernel_(kernel),
        roles_(std::move(roles)),
        trial_(trial),
        options_(without_confirmations(options)),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(most_seconds))) {}

  [[nodiscard]] OperationGuess run() && {
    for (const std::size_t output : possible_outputs(roles_)) try_output(output);
    for (const LimitedFrame& limited : limited_) {
      if (!ended()) try_conditions(limited);
    }
    return std::move(guess_);
  }

 private:
  [[nodiscard]] bool ended() const { return guess_.report.has_value() || Clock::now() >= end_; }

  void try_output(std::size_t output) {
    Assignment assignment = first_assignment(roles_, output);
    if (!guess_.draft) set_unknown(assignment);
    std::vector<KnownOperation> known = known_operations(assignment.extents.size());
    std::erase_if(known, [&](const KnownOperation& one) { return !suits(one, roles_); });
    if (trial_ == nullptr || known.empty()) return;
    do {
      try_known(known, assignment);
      if (assignment.extents.size() == 1) continue;
      std::swap(assignment.extents.front(), assignment.extents.back());
      try_known(known, assignment);
      std::swap(assignment.extents.front(), assignment.extents.back());
    } while (!ended() && std::next_permutation(assignment.inputs.begin(), assignment.inputs.end()));
  }

  /// The contract for kernels of which nothing fits: each tensor has all extents, and a thread has
  /// one element.
  void set_unknown(const Assignment& assignment) {
    const Dimensions all = Dimensions("0123456789").substr(0, assignment.extents.size());
    const bool updates = assignment.inputs.empty();  // an operation has an input
    const std::size_t inputs = assignment.inputs.size() + (updates ? 1 : 0);
    const KnownOperation unknown{std::vector<Dimensions>(inputs, all), all, updates,
                                 roles_.scalars.size(), ""};
    const std::vector<Frame> frames = frames_of(kernel_, roles_, unknown, assignment);
    const auto usual = std::find_if(frames.begin(), frames.end(),
                                    [](const Frame& frame) { return frame.per_thread == 1; });
    guess_.draft = usual->draft;
  }

  void try_known(std::span<const KnownOperation> known, const Assignment& assignment) {
    for (auto first = known.begin(); first != known.end();) {
      const auto last = std::find_if(first, known.end(), [&](const KnownOperation& one) {
        return !have_same_tensors(one, *first);
      });
      for (const Frame& frame : frames_of(kernel_, roles_, *first, assignment)) {
        if (!ended()) try_definitions(frame, {first, last}, true);
      }
      first = last;
    }
  }

  void try_conditions(const LimitedFrame& frame) {
    const Draft& draft = frame.frame.draft;
    std::vector<std::vector<std::string>> all = conditions_of_vectors(draft);
    if (!frame.is_misaligned) {
      for (std::vector<std::string>& one : conditions_of_tiles(draft))
        all.push_back(std::move(one));
    }
    for (const std::vector<std::string>& conditions : all) {
      Frame limited = frame.frame;
      limited.draft = with_conditions(std::move(limited.draft), conditions, kNeeded);
      if (!ended()) try_definitions(limited, frame.known, false);
    }
  }

  /// Tries the others only if the first one is refuted by values alone.
  void try_definitions(const Frame& frame, std::span<const KnownOperation> known,
                       bool may_be_limited) {
    const std::string without_definition = to_toml(frame.draft, false);
    if (refuted_.contains(without_definition)) return;
    for (const KnownOperation& one : known) {
      if (ended()) return;
      Draft draft = frame.draft;
      draft.operation->define = definition(one, frame);
      if (!tried_.insert(to_toml(draft, false)).second) continue;
      const std::optional<FindingClass> other = try_sums(draft, frame.per_thread == 1);
      if (other && may_be_limited && is_outside(*other)) {
        limited_.push_back(
            {frame, *other == FindingClass::misaligned, {known.begin(), known.end()}});
      }
      if (!other) continue;
      refuted_.insert(without_definition);
      return;
    }
  }

  /// The kernel may have been written for other sizes or addresses.
  static bool is_outside(FindingClass kind) {
    return kind == FindingClass::misaligned || kind == FindingClass::out_of_bounds ||
           kind == FindingClass::guard_overwritten || kind == FindingClass::uninitialized_read;
  }

  /// Tries the types in which the kernel may compute. Returns the class of a finding that other
  /// definitions have, too. `is_usual`: an unknown operation may have this geometry.
  [[nodiscard]] std::optional<FindingClass> try_sums(Draft draft, bool is_usual) {
    const ScalarType type = draft.operation->outputs.front().type;
    const ScalarType input = draft.operation->inputs.front().type;
    std::vector<ScalarType> sums = {ScalarType::f32};
    if (type == ScalarType::f64 || type == ScalarType::s32) sums = {input};
    if (type == ScalarType::f16 || type == ScalarType::bf16) sums.push_back(type);
    for (const ScalarType sum : sums) {
      const bool needs_fit = !guess_.fits && is_usual;
      draft.types.accumulate = sum;
      std::optional<VariantReport> report = check(draft, screening(1));
      if (report && !other_finding(*report) && (report->findings.empty() || needs_fit)) {
        report = check(draft, screening(kScreeningCases));
      }
      if (!report) continue;
      if (report->verdict == Verdict::unsupported) return FindingClass::illegal_instruction;
      if (const auto other = other_finding(*report)) {
        keep_failure(draft, *other);
        return other->finding.kind;
      }
      if (needs_fit) {
        guess_.fits = true;
        keep_undefined(draft);
      }
      if (report->findings.empty() && accept(draft)) break;
    }
    return std::nullopt;
  }

  static CampaignOptions without_confirmations(CampaignOptions options) {
    options.confirm = false;
    return options;
  }

  /// A finding that is not outside of memory shows that the shapes and the geometry may be right.
  void keep_failure(const Draft& draft, const FindingReport& failure) {
    const bool is_better = guess_.failure && is_outside(guess_.failure->finding.kind) &&
                           !is_outside(failure.finding.kind);
    if (guess_.fits || (guess_.failure && !is_better)) return;
    guess_.failure = located(draft).value_or(failure);
    keep_undefined(draft);
  }

  /// The finding with its source line.
  [[nodiscard]] std::optional<FindingReport> located(const Draft& draft) const {
    CampaignOptions locating = screening(kScreeningCases);
    locating.confirm = true;
    const std::optional<VariantReport> report = trial_->check_if_valid(draft, locating);
    return report ? other_finding(*report) : std::nullopt;
  }

  void keep_undefined(const Draft& draft) {
    guess_.draft = draft;
    guess_.draft->operation->define.clear();
  }

  static std::optional<FindingReport> other_finding(const VariantReport& report) {
    const auto found = std::find_if(
        report.findings.begin(), report.findings.end(),
        [](const auto& one) { return one.finding.kind != FindingClass::wrong_result; });
    if (found == report.findings.end()) return std::nullopt;
    return *found;
  }

  /// Checks more cases; limits the grid if a launch is refused.
  bool accept(Draft draft) {
    const std::size_t conditions = draft.requires_.size();
    std::optional<VariantReport> report = check_within_grid_limits(draft, *trial_, options_);
    guess_.tried += draft.requires_.size() == conditions ? 1 : 2;
    if (report && !report->findings.empty() && draft.requires_.empty()) {
      report = check_one_block(draft, std::move(report));
    }
    if (!report || report->verdict != Verdict::pass) return false;
    guess_.draft = std::move(draft);
    guess_.report = std::move(report);
    return true;
  }

  /// Checks with at most as many columns as a block has threads. If that fails, too, the draft and
  /// the report are unchanged.
  std::optional<VariantReport> check_one_block(Draft& draft, std::optional<VariantReport> report) {
    for (const std::string& threads : draft.block) {
      Draft limited = draft;
      limited.requires_ = {fmt::format("{} <= {}", draft.operation->extents.back(), threads)};
      limited.notes["requires"] = "guessed: the kernel fails without it";
      auto passes = check(limited, options_);
      if (!passes || passes->verdict != Verdict::pass) continue;
      draft = std::move(limited);
      return passes;
    }
    return report;
  }

  /// Small cases refute most definitions.
  [[nodiscard]] CampaignOptions screening(std::int64_t cases) const {
    CampaignOptions options = options_;
    options.cases = cases;
    options.max_size = kScreeningSize;
    return options;
  }

  /// Empty if the contract is not valid.
  std::optional<VariantReport> check(const Draft& draft, const CampaignOptions& options) {
    ++guess_.tried;
    return trial_->check_if_valid(draft, options);
  }

  const OperationKernel& kernel_;
  const Roles roles_;
  const Trial* trial_;
  const CampaignOptions options_;
  Clock::time_point end_;
  std::vector<LimitedFrame> limited_;
  // Other orders of the inputs give the same contracts.
  std::set<std::string> tried_;
  std::set<std::string> refuted_;  // without a definition
  OperationGuess guess_;
};

}  // namespace

std::vector<Draft> drafts_of(const OperationKernel& kernel, const KnownOperation& known) {
  const std::optional<Roles> roles = roles_of(kernel.parameters);
  if (!roles || !suits(known, *roles)) return {};
  const Assignment assignment = first_assignment(*roles, possible_outputs(*roles).front());
  std::vector<Draft> all;
  for (const Frame& frame : frames_of(kernel, *roles, known, assignment)) {
    all.push_back(frame.draft);
    all.back().operation->define = definition(known, frame);
  }
  return all;
}

OperationGuess guess_operation(const OperationKernel& kernel, const Trial* trial,
                               const CampaignOptions& options, double most_seconds) {
  std::optional<Roles> roles = roles_of(kernel.parameters);
  if (!roles) return {};
  OperationGuess guess = OperationSearch(kernel, *roles, trial, options, most_seconds).run();
  if (guess.report || trial == nullptr || roles->extents.size() != 1) return guess;
  roles->rows = usable_name("rows", roles->names);
  OperationGuess of_rows = OperationSearch(kernel, *roles, trial, options, most_seconds).run();
  of_rows.tried += guess.tried;
  if (of_rows.report || (of_rows.fits && !guess.fits)) return of_rows;
  guess.tried = of_rows.tried;
  return guess;
}

}  // namespace warpcheck::workflows::init
