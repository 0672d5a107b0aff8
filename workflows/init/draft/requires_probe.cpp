#include "workflows/init/draft/requires_probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace warpcheck::workflows::init {

using campaign::Case;

namespace {

/// The number after `opening`; 0 if the text does not contain it.
std::int64_t number_after(const std::string& text, const std::string& opening) {
  const std::size_t at = text.find(opening);
  if (at == std::string::npos) return 0;
  std::int64_t number = 0;
  std::from_chars(text.data() + at + opening.size(), text.data() + text.size(), number);
  return number;
}

std::int64_t step_in(const std::vector<std::string>& grid, const std::string& extent) {
  for (const std::string& text : grid) {
    for (const std::string& opening : {"ceil_div(" + extent + ", ", extent + " / "}) {
      if (const std::int64_t step = number_after(text, opening); step > 1) return step;
    }
  }
  return 0;
}

class RequiresProbe {
 public:
  RequiresProbe(const Draft& draft, const TileSteps& steps, const Trial& trial)
      : draft_(draft), steps_(steps), trial_(trial) {}

  std::optional<std::vector<std::string>> run(const Trial::Screening& screening) {
    if (!find_base(screening)) return std::nullopt;
    probe_factors();
    // A square kernel changes all extents at once.
    if (is_square_) {
      probe_extent(steps_.n, {"m", "k", "n"});
    } else if (equal_rows_and_columns_) {
      probe_extent(steps_.n, {"m", "n"});
      probe_extent(steps_.k, {"k"});
    } else {
      probe_extent(steps_.m, {"m"});
      probe_extent(steps_.n, {"n"});
      probe_extent(steps_.k, {"k"});
    }
    probe_operand('a', draft_.types.a);
    probe_operand('b', draft_.types.b);
    probe_operand('c', draft_.types.c);
    return std::move(conditions_);
  }

 private:
  /// Chooses a correct screening shape. Those that fail show whether m = n or m = n = k is
  /// required.
  bool find_base(const Trial::Screening& screening) {
    is_square_ = std::find(draft_.requires_.begin(), draft_.requires_.end(), "m == n") !=
                 draft_.requires_.end();
    std::vector<bool> passes;
    std::optional<Case> base;
    for (const Case& shape : trial_.shapes(draft_, screening)) {
      passes.push_back(trial_.passes(draft_, shape));
      if (passes.back() && !base) base = shape;
    }
    if (!base) return false;
    base_ = *base;
    if (is_square_) {
      for (const char* extent : {"m", "k"}) base_.set_value(extent, base_.number("n"));
      return true;
    }
    // The shapes are tile x 2 tile, 2 tile x tile, 2 tile x 2 tile and a cube.
    equal_rows_and_columns_ = !passes[0] && !passes[1] && passes[2];
    if (equal_rows_and_columns_) conditions_.emplace_back("m == n");
    const bool only_cube = !passes[0] && !passes[1] && !passes[2];
    if (only_cube && cube_decides()) {
      is_square_ = true;
      conditions_.emplace_back("m == n");
      conditions_.emplace_back("k == n");
    }
    return true;
  }

  /// The cube may also be the only shape with an even or odd number of steps along k.
  bool cube_decides() {
    Case flat = base_;
    flat.set_value("m", 2.0 * base_.number("m"));
    return !trial_.passes(draft_, flat);
  }

  /// Kernels that ignore alpha or beta, that read C although beta is 0, or that multiply NaN by an
  /// alpha of 0.
  void probe_factors() {
    if (draft_.takes("alpha")) {
      if (!passes_with_factor("alpha", 2.0)) {
        conditions_.emplace_back("alpha == 1");
      } else if (!passes_with_factor("alpha", 0.0)) {
        conditions_.emplace_back("alpha != 0");
      }
    }
    if (!draft_.takes("beta")) return;
    if (base_.number("beta") == 0.0) {
      conditions_.emplace_back("beta == 0");
    } else if (!passes_with_factor("beta", 0.0)) {
      conditions_.emplace_back("beta != 0");
    }
  }

  /// An alpha of 0 ignores NaN in A and B, a beta of 0 whatever C holds: two seeds have different
  /// poison.
  [[nodiscard]] bool passes_with_factor(std::string_view field, double value) const {
    Case changed = base_;
    changed.set_value(field, value);
    if (field == "alpha" && value == 0.0) changed.data = campaign::Recipe::special;
    for (const std::uint64_t seed : {2U, 3U}) {
      changed.seed = seed;
      if (!trial_.passes(draft_, changed)) return false;
    }
    return true;
  }

  [[nodiscard]] bool passes_with(const std::vector<std::string>& extents,
                                 std::int64_t added) const {
    Case changed = base_;
    for (const std::string& extent : extents) {
      changed.set_value(extent, base_.whole(extent) + added);
    }
    return trial_.passes(draft_, changed);
  }

  /// The smallest of 1, 2, 4, 8, a tile and two tiles by which the extents can grow together: a
  /// condition on the last one.
  void probe_extent(std::int64_t step, const std::vector<std::string>& extents) {
    std::vector<std::int64_t> tried = {1, 2, 4, 8, 16};
    std::erase_if(tried, [&](std::int64_t size) { return step > 1 && size >= step; });
    if (step > 1) {
      tried.push_back(step);
      tried.push_back(2 * step);
    }
    for (const std::int64_t size : tried) {
      if (!passes_with(extents, size)) continue;
      if (size > 1) {
        conditions_.push_back(
            fmt::format("{} % {} == {}", extents.back(), size, base_.whole(extents.back()) % size));
      }
      return;
    }
  }

  /// Leading dimensions and addresses: accesses of 4, 8 or 16 bytes, and the fragments of wmma,
  /// which require 32.
  void probe_operand(char operand, ScalarType type) {
    constexpr std::int64_t kWidest = 32;
    const auto bytes = static_cast<std::int64_t>(size_of(type));
    const std::string ld = std::string("ld") + operand;
    if (draft_.takes(ld)) {
      bool any_passes = false;
      for (const std::int64_t size :
           {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}}) {
        Case padded = base_;
        padded.set_value(ld, base_.whole(row_extent(operand)) + size);
        if (!trial_.passes(draft_, padded)) continue;
        if (size > 1) conditions_.push_back(fmt::format("{} % {} == 0", ld, size));
        any_passes = true;
        break;
      }
      if (!any_passes) conditions_.push_back(fmt::format("{} == {}", ld, row_extent(operand)));
    }
    for (std::int64_t elements = 1; elements * bytes <= kWidest; elements *= 2) {
      Case shifted = base_;
      shifted.set_value(std::string("off_") + operand, elements);
      if (elements * bytes < kWidest && !trial_.passes(draft_, shifted)) continue;
      if (elements > 1)
        conditions_.push_back(fmt::format("aligned({}, {})", operand, elements * bytes));
      break;
    }
  }

  /// The length of a row, or of a column of an operand that is stored by columns.
  [[nodiscard]] std::string row_extent(char operand) const {
    if (operand == 'a') return draft_.column[0] ? "m" : "k";
    if (operand == 'b') return draft_.column[1] ? "k" : "n";
    return draft_.column[2] ? "m" : "n";
  }

  const Draft& draft_;
  const TileSteps& steps_;
  const Trial& trial_;
  Case base_;
  bool is_square_ = false;
  bool equal_rows_and_columns_ = false;
  std::vector<std::string> conditions_;
};

std::vector<std::string> extents_of(const Draft& draft) {
  if (draft.operation) return draft.operation->extents;
  return {"m", "n", "batch"};
}

bool is_refused_launch(const campaign::VariantReport& report) {
  return std::any_of(report.findings.begin(), report.findings.end(), [](const auto& finding) {
    return finding.finding.kind == FindingClass::launch_failure;
  });
}

}  // namespace

TileSteps tile_steps(const Draft& draft, const TileSteps& known) {
  TileSteps steps = known;
  if (const std::int64_t step = step_in(draft.grid, "m"); step > 0) steps.m = step;
  if (const std::int64_t step = step_in(draft.grid, "n"); step > 0) steps.n = step;
  const std::int64_t largest = std::max({steps.m, steps.n, steps.k});
  for (std::int64_t* const step : {&steps.m, &steps.n, &steps.k}) {
    if (*step == 0) *step = largest;
  }
  return steps;
}

std::optional<std::vector<std::string>> probe_requires(const Draft& draft, const TileSteps& steps,
                                                       const Trial& trial,
                                                       const Trial::Screening& screening) {
  return RequiresProbe(draft, steps, trial).run(screening);
}

Draft with_conditions(Draft draft, const std::vector<std::string>& conditions, std::string note) {
  if (conditions.empty()) return draft;
  draft.requires_.insert(draft.requires_.end(), conditions.begin(), conditions.end());
  draft.notes["requires"] = std::move(note);
  return draft;
}

std::vector<std::string> grid_limits(const Draft& draft) {
  constexpr std::int64_t kMostBlocks = 65535;  // CUDA C++ Programming Guide, Compute Capabilities
  std::vector<std::string> limits;
  for (std::size_t axis = 1; axis < draft.grid.size(); ++axis) {
    for (const std::string& extent : extents_of(draft)) {
      const std::int64_t step = step_in({draft.grid[axis]}, extent);
      if (step > 0) limits.push_back(fmt::format("{} <= {}", extent, kMostBlocks * step));
      if (draft.grid[axis] == extent)
        limits.push_back(fmt::format("{} <= {}", extent, kMostBlocks));
    }
  }
  return limits;
}

std::optional<campaign::VariantReport> check_within_grid_limits(
    Draft& draft, const Trial& trial, const campaign::CampaignOptions& options) {
  auto report = trial.check_if_valid(draft, options);
  if (!report || !is_refused_launch(*report)) return report;
  const bool has_others = draft.notes["requires"] == kNeeded;
  const std::vector<std::string> limits = grid_limits(draft);
  draft = with_conditions(std::move(draft), limits,
                          has_others ? kNeeded : "the y and z axes of a grid end at 65535 blocks");
  return trial.check_if_valid(draft, options);
}

}  // namespace warpcheck::workflows::init
