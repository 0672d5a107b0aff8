#include "workflows/init/operations/operation_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "contract/source/cpp_token.hpp"
#include "workflows/init/draft/requires_probe.hpp"
#include "workflows/init/operations/operation_frame.hpp"
#include "workflows/init/operations/operation_geometry.hpp"

namespace warpcheck::workflows::init {
namespace {

using Clock = std::chrono::steady_clock;
using campaign::CampaignOptions;
using campaign::FindingReport;
using campaign::VariantReport;
using campaign::Verdict;

constexpr std::int64_t kScreeningCases = 6;
constexpr std::int64_t kScreeningSize = 300;
// Cases, for each of the check, that decide among definitions that all pass it.
constexpr std::int64_t kDecidingCases = 5;

/// A frame whose kernel may need conditions.
struct LimitedFrame {
  Frame frame;
  bool is_misaligned = false;
  std::vector<KnownOperation> known;
};

/// True if the expression contains the name.
bool mentions(const std::string& expression, const std::string& name) {
  const std::vector<contract::CppToken> tokens = contract::cpp_tokens(expression);
  return std::any_of(tokens.begin(), tokens.end(),
                     [&](const contract::CppToken& token) { return token.is(name); });
}

class OperationSearch {
 public:
  OperationSearch(const OperationKernel& kernel, Roles roles, const Trial* trial,
                  const CampaignOptions& options, const SearchLimits& limits)
      : kernel_(kernel),
        roles_(std::move(roles)),
        trial_(trial),
        options_(without_confirmations(options)),
        most_trials_(limits.most_trials),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(limits.most_seconds))) {}

  /// Sums in 16 bits have bounds so wide that wrong definitions pass: they are tried last, and only
  /// if the kernel computes in 16 bits.
  [[nodiscard]] OperationGuess run() && {
    for (const bool half : {false, true}) {
      if (half && (guess_.report || !kernel_.usage.half_arithmetic)) break;
      sums_of_half_ = half;
      limited_.clear();
      for (const std::size_t output : possible_outputs(roles_)) try_output(output);
      try_one_block();
      for (const LimitedFrame& limited : limited_) {
        // Positions in small integers seem to fit shapes that are too large.
        if (!ended() && !has_integers(limited.frame.draft)) try_conditions(limited);
      }
    }
    return std::move(guess_);
  }

 private:
  [[nodiscard]] bool ended() {
    if (guess_.report) return true;
    if (guess_.tried >= most_trials_ || Clock::now() >= end_) guess_.is_incomplete = true;
    return guess_.is_incomplete;
  }

  void try_output(std::size_t output) {
    Assignment assignment = first_assignment(roles_, output);
    if (!guess_.draft) set_unknown(assignment);
    std::vector<KnownOperation> known = known_operations(assignment.extents.size());
    std::erase_if(known, [&](const KnownOperation& one) { return !suits(one, roles_); });
    if (trial_ == nullptr || known.empty()) return;
    do {
      for (const std::vector<std::size_t>& order : orders_of(assignment.extents.size())) {
        Assignment ordered = assignment;
        for (std::size_t i = 0; i < order.size(); ++i) {
          ordered.extents[i] = assignment.extents[order[i]];
        }
        try_known(known, ordered);
      }
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
    keep_undefined(usual->draft);
  }

  static void note_shapes(const DraftOperation& operation,
                          std::map<std::string, std::string>& notes) {
    for (const DraftTensor& one : operation.outputs) notes["outputs." + one.name] = "guessed";
    for (const DraftTensor& one : operation.inputs) {
      notes["inputs." + one.name] =
          !holds_indices(one.type)
              ? "guessed"
              : fmt::format(
                    "guessed; holds 0 to 7, or positions if it is an index in `define`; "
                    "`range = [0, \"{} - 1\"]` sets other limits",
                    columns_of(operation.extents));
    }
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

  /// Tries the geometries that fail beyond one block again, with a limit of the extent: another one
  /// may pass without it.
  void try_one_block() {
    tries_one_block_ = true;
    tried_.clear();
    for (const LimitedFrame& frame : std::exchange(one_block_, {})) {
      if (!guess_.report) try_definitions(frame.frame, frame.known, false);
    }
    tries_one_block_ = false;
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
    const std::optional<ScalarType> sums = type_of_sums(frame.draft);
    if (!sums || refuted_.contains(without_definition)) return;
    for (auto one = known.begin(); one != known.end() && (tries_one_block_ || !ended()); ++one) {
      if (guess_.report) return;
      const Draft draft = defined(frame, *one, *sums);
      if (!tried_.insert(to_toml(draft, false)).second) continue;
      needs_one_block_ = false;
      const std::optional<FindingClass> other = try_definition(draft, frame.per_thread == 1);
      if (needs_one_block_) one_block_.push_back({frame, false, {one, known.end()}});
      if (other && may_be_limited && is_outside(*other)) {
        limited_.push_back(
            {frame, *other == FindingClass::misaligned, {known.begin(), known.end()}});
      }
      if (other) {
        refuted_.insert(without_definition);
        return;
      }
      if (guess_.report) compare_with_others(frame, {std::next(one), known.end()});
    }
  }

  static bool has_integers(const Draft& draft) {
    const std::vector<DraftTensor>& inputs = draft.operation->inputs;
    return std::any_of(inputs.begin(), inputs.end(),
                       [](const DraftTensor& one) { return holds_indices(one.type); });
  }

  static Draft defined(const Frame& frame, const KnownOperation& known, ScalarType sums) {
    Draft draft = frame.draft;
    draft.operation->define = definition(known, frame);
    draft.types.accumulate = sums;
    draft.notes["define"] =
        sums == ScalarType::f16 || sums == ScalarType::bf16
            ? "guessed: passes the cases, but sums in 16 bits allow large errors"
            : "guessed: passes the cases";
    return draft;
  }

  /// Empty if a kernel with this output cannot have such sums.
  [[nodiscard]] std::optional<ScalarType> type_of_sums(const Draft& draft) const {
    const ScalarType type = draft.operation->outputs.front().type;
    const bool is_half = type == ScalarType::f16 || type == ScalarType::bf16;
    if (sums_of_half_) return is_half ? std::optional(type) : std::nullopt;
    if (type == ScalarType::f64 || holds_indices(type)) {
      return draft.operation->inputs.front().type;
    }
    return ScalarType::f32;
  }

  /// Returns the class of a finding that other definitions have, too. `is_usual`: an unknown
  /// operation may have this geometry.
  [[nodiscard]] std::optional<FindingClass> try_definition(const Draft& draft, bool is_usual) {
    const bool needs_fit = !guess_.fits && is_usual;
    std::optional<VariantReport> report = check(draft, screening(1));
    if (report && !other_finding(*report) && (report->findings.empty() || needs_fit)) {
      report = check(draft, screening(kScreeningCases));
    }
    if (!report) return std::nullopt;
    if (report->verdict == Verdict::unsupported) return FindingClass::illegal_instruction;
    if (const auto other = other_finding(*report)) {
      keep_failure(draft, *other);
      return other->finding.kind;
    }
    if (needs_fit) {
      guess_.fits = true;
      guess_.failure_without_limits = without_limits(draft);
      keep_undefined(draft);
    }
    if (report->findings.empty()) accept(draft);
    return std::nullopt;
  }

  /// Definitions whose values are close pass the same cases: more cases decide, and those that
  /// still pass are all named.
  void compare_with_others(const Frame& frame, std::span<const KnownOperation> others) {
    const Draft accepted = *guess_.draft;
    std::vector<std::string> passing = {accepted.operation->define};
    for (const KnownOperation& one : others) {
      const Draft draft = defined(frame, one, accepted.types.accumulate);
      if (!tried_.insert(to_toml(draft, false)).second) continue;
      const std::string& define = draft.operation->define;
      if (passes(accepted, define, screening(1)) && passes(accepted, define, options_)) {
        passing.push_back(define);
      }
    }
    if (passing.size() == 1) return;
    CampaignOptions deciding = options_;
    deciding.cases *= kDecidingCases;
    std::erase_if(passing, [&](const auto& one) { return !passes(accepted, one, deciding); });
    if (passing.empty()) {
      guess_.report.reset();
      return keep_undefined(accepted);
    }
    guess_.draft->operation->define = passing.front();
    guess_.draft->operation->other_definitions.assign(passing.begin() + 1, passing.end());
    if (passing.size() == 1) return;
    guess_.draft->notes["define"] = "guessed: others pass the same cases, see above";
  }

  [[nodiscard]] bool passes(Draft draft, const std::string& define,
                            const CampaignOptions& options) {
    draft.operation->define = define;
    const std::optional<VariantReport> report = check(draft, options);
    return report && report->findings.empty();
  }

  static CampaignOptions without_confirmations(CampaignOptions options) {
    options.confirm = false;
    return options;
  }

  /// A finding that does not depend on the contract shows that the shapes may be right.
  void keep_failure(const Draft& draft, const FindingReport& failure) {
    const bool is_better = guess_.failure && may_be_of_contract(guess_.failure->finding.kind) &&
                           !may_be_of_contract(failure.finding.kind);
    if (guess_.fits || (guess_.failure && !is_better)) return;
    guess_.failure = located(draft, screening(kScreeningCases)).value_or(failure);
    keep_undefined(draft);
  }

  /// A finding other than a wrong result, with its source line.
  [[nodiscard]] std::optional<FindingReport> located(const Draft& draft,
                                                     CampaignOptions options) const {
    options.confirm = true;
    const std::optional<VariantReport> report = trial_->check_if_valid(draft, options);
    return report ? other_finding(*report) : std::nullopt;
  }

  /// The finding without the `requires` that are guessed because the kernel fails without them.
  [[nodiscard]] std::optional<FindingReport> without_limits(Draft draft) const {
    if (!draft.notes["requires"].starts_with("guessed")) return std::nullopt;
    draft.requires_.clear();
    return located(draft, options_);
  }

  void keep_undefined(const Draft& draft) {
    guess_.draft = draft;
    DraftOperation& operation = *guess_.draft->operation;
    operation.define.clear();
    guess_.draft->notes.erase("define");
    note_shapes(operation, guess_.draft->notes);
  }

  static std::optional<FindingReport> other_finding(const VariantReport& report) {
    const auto found = std::find_if(
        report.findings.begin(), report.findings.end(),
        [](const auto& one) { return one.finding.kind != FindingClass::wrong_result; });
    if (found == report.findings.end()) return std::nullopt;
    return *found;
  }

  /// Checks more cases; limits the grid if a launch is refused. Keeps the draft if it passes.
  void accept(Draft draft) {
    const std::size_t conditions = draft.requires_.size();
    std::optional<VariantReport> report = check_within_grid_limits(draft, *trial_, options_);
    guess_.tried += draft.requires_.size() == conditions ? 1 : 2;
    if (report && !report->findings.empty() && draft.requires_.empty()) {
      needs_one_block_ = !tries_one_block_;
      if (needs_one_block_) return;
      report = check_one_block(draft, std::move(report));
    }
    if (!report || report->verdict != Verdict::pass) return;
    guess_.failure_without_limits = without_limits(draft);
    guess_.draft = std::move(draft);
    guess_.report = std::move(report);
  }

  /// Checks with at most as many columns, and then rows, as a block has threads, for a kernel whose
  /// number of blocks does not depend on them. If that fails, too, the draft and the report are
  /// unchanged.
  std::optional<VariantReport> check_one_block(Draft& draft, std::optional<VariantReport> report) {
    const std::vector<std::string>& extents = draft.operation->extents;
    for (const std::string& threads : draft.block) {
      Draft limited = draft;
      limited.notes["requires"] = "guessed: the kernel fails without it";
      for (const std::string& extent : {columns_of(extents), extents.front()}) {
        const bool grows = std::any_of(draft.grid.begin(), draft.grid.end(),
                                       [&](const auto& axis) { return mentions(axis, extent); });
        if (grows) break;
        limited.requires_.push_back(fmt::format("{} <= {}", extent, threads));
        auto passes = check(limited, options_);
        if (!passes || passes->verdict != Verdict::pass) continue;
        draft = std::move(limited);
        return passes;
      }
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
  const int most_trials_;
  const Clock::time_point end_;
  bool sums_of_half_ = false;
  std::vector<LimitedFrame> limited_;
  std::vector<LimitedFrame> one_block_;  // geometries that seem to need one block
  bool tries_one_block_ = false;
  bool needs_one_block_ = false;  // the last definition is one of them
  // Other orders of the inputs give the same contracts.
  std::set<std::string> tried_;
  std::set<std::string> refuted_;  // contracts that fail with every definition
  OperationGuess guess_;
};

/// The roles with an extent that is no parameter: the rows of a grid, or those of a table of which
/// the kernel takes positions.
std::vector<Roles> with_further_extent(const Roles& roles,
                                       const std::vector<NamedParameter>& parameters) {
  std::vector<Roles> all;
  if (roles.extents.size() == 1) {
    all.push_back(roles);
    all.back().rows = usable_name("rows", roles.names);
  }
  const bool has_positions =
      std::any_of(roles.buffers.begin(), roles.buffers.end(), [&](std::size_t one) {
        const auto& element = parameters[one].type.element;
        return parameters[one].type.constant && element && holds_indices(*element);
      });
  if (roles.extents.size() == 2 && has_positions) {
    all.push_back(roles);
    all.back().positions = usable_name("positions", roles.names);
  }
  return all;
}

}  // namespace

bool is_outside(FindingClass kind) {
  return kind == FindingClass::misaligned || kind == FindingClass::out_of_bounds ||
         kind == FindingClass::guard_overwritten || kind == FindingClass::uninitialized_read;
}

bool may_be_of_contract(FindingClass kind) {
  return is_outside(kind) || kind == FindingClass::wrong_result ||
         kind == FindingClass::input_modified;
}

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
                               const CampaignOptions& options, const SearchLimits& limits) {
  const std::optional<Roles> roles = roles_of(kernel.parameters);
  if (!roles) return {};
  OperationGuess guess = OperationSearch(kernel, *roles, trial, options, limits).run();
  if (trial == nullptr) return guess;
  for (const Roles& further : with_further_extent(*roles, kernel.parameters)) {
    if (guess.report) break;
    OperationGuess other = OperationSearch(kernel, further, trial, options, limits).run();
    other.tried += guess.tried;
    other.is_incomplete = other.is_incomplete || guess.is_incomplete;
    if (other.report || (other.fits && !guess.fits)) {
      guess = std::move(other);
    } else {
      guess.tried = other.tried;
      guess.is_incomplete = other.is_incomplete;
    }
  }
  return guess;
}

}  // namespace warpcheck::workflows::init
