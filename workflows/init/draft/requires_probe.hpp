// Finds the `requires` of a kernel that does not accept every shape, by single cases that differ
// from a correct one in one respect.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workflows/init/draft/draft.hpp"
#include "workflows/init/draft/trial.hpp"

namespace warpcheck::workflows::init {

struct TileSteps {
  std::int64_t m = 0;  // 0: unknown
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// The steps that the grid shows, as in ceil_div(m, 16) and n / 32, else those that are known.
/// Every step that is unknown is the largest of the others.
[[nodiscard]] TileSteps tile_steps(const Draft& draft, const TileSteps& known);

/// The conditions that the draft lacks. Empty if no screening shape passes.
[[nodiscard]] std::optional<std::vector<std::string>> probe_requires(
    const Draft& draft, const TileSteps& steps, const Trial& trial,
    const Trial::Screening& screening);

/// The note on conditions that a kernel needs.
inline constexpr const char* kNeeded =
    "guessed: the kernel fails without it; `warpcheck explore` finds the exact condition";

/// Adds the conditions to the draft's own. Without conditions, the note is unchanged.
[[nodiscard]] Draft with_conditions(Draft draft, const std::vector<std::string>& conditions,
                                    std::string note);

/// The conditions that keep the grid within the limits of y and z, 65535 blocks.
[[nodiscard]] std::vector<std::string> grid_limits(const Draft& draft);

/// Checks the contract, and again with grid_limits() if a launch is refused. Empty if the contract
/// is not valid, or its domain has no case.
[[nodiscard]] std::optional<campaign::VariantReport> check_within_grid_limits(
    Draft& draft, const Trial& trial, const campaign::CampaignOptions& options);

}  // namespace warpcheck::workflows::init
