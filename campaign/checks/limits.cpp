#include "campaign/checks/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "campaign/generate/empty_extents.hpp"
#include "campaign/generate/grid_limits.hpp"
#include "campaign/generate/index_limits.hpp"
#include "campaign/run/source.hpp"

namespace warpcheck::campaign::checks {
namespace {

void add_once(std::vector<std::string>& conditions, const std::string& condition) {
  const std::string quoted = fmt::format("\"{}\"", condition);
  if (std::ranges::find(conditions, quoted) == conditions.end()) conditions.push_back(quoted);
}

run::Evidence evidence(FindingClass kind, Grade grade, std::string message) {
  run::Evidence result;
  result.finding.kind = kind;
  result.finding.grade = grade;
  result.finding.message = std::move(message);
  return result;
}

/// The grid of some case that `requires` admits exceeds what a launch allows, and no such case is
/// generated.
std::optional<Limit> large_grid(const contract::Variant& variant) {
  const auto missing = generate::missing_limits(variant.contract);
  if (missing.empty()) return {};
  std::vector<std::string> conditions;
  for (const generate::MissingLimit& limit : missing) add_once(conditions, limit.requires_);
  const generate::MissingLimit& first = missing.front();
  Limit result{
      first.problem,
      evidence(FindingClass::launch_failure, Grade::launch_limit,
               fmt::format("{} is {} for some cases that the contract admits; a launch allows {}. "
                           "They are not generated: add {} to `requires`",
                           first.axis.text(), first.blocks, generate::kMostBlocksOfYOrZ,
                           fmt::join(conditions, ", ")))};
  result.evidence.finding.option = UserOption::strict_launch;
  result.evidence.finding.source =
      run::definition(variant, variant.contract.launches.front().kernel);
  return result;
}

/// A launch has no threads for an extent of 0 that `requires` admits, and the operation has a
/// result.
std::optional<Limit> empty_launch(const contract::Variant& variant) {
  const auto launches = generate::empty_launches(variant.contract);
  if (launches.empty()) return {};
  std::vector<std::string> conditions;
  for (const generate::EmptyLaunch& launch : launches) {
    conditions.push_back(fmt::format("\"{} >= 1\"", launch.extent));
  }
  Limit result{
      launches.front().problem,
      evidence(FindingClass::launch_failure, Grade::launch_limit,
               fmt::format("{} is 0 for {} = 0, which the contract admits: a launch without "
                           "threads fails, and the output stays unwritten. These cases are not "
                           "generated: add {} to `requires`, or a launch for them",
                           launches.front().axis, launches.front().extent,
                           fmt::join(conditions, ", ")))};
  result.evidence.finding.source =
      run::definition(variant, variant.contract.launches.front().kernel);
  return result;
}

/// Matrices of the domain are too large for the kernel's indices of 32 bits, and for any case.
std::optional<Limit> narrow_index(const contract::Variant& variant, bool sparse) {
  const auto limits = generate::index_limits(variant, sparse);
  if (limits.empty()) return {};
  std::vector<std::string> places;
  std::vector<std::string> conditions;
  for (const generate::IndexLimit& limit : limits) {
    const bool has_line = limit.lines.front() != 0;
    places.push_back(
        fmt::format("{}{}", limit.operand,
                    has_line ? fmt::format(" (line {})", fmt::join(limit.lines, ", ")) : ""));
    add_once(conditions, limit.requires_);
  }
  Limit result{limits.front().problem,
               evidence(FindingClass::out_of_bounds, Grade::index_width,
                        fmt::format("the kernel computes indices of {} as products of 32 bits, "
                                    "which overflow from 2^31 elements on. The contract admits "
                                    "such sizes, but no case has them: compute in 64 bits, as in "
                                    "(size_t)row * n, or add {} to `requires`",
                                    fmt::join(places, ", "), fmt::join(conditions, ", ")))};
  result.evidence.finding.source.file = limits.front().file;
  result.evidence.finding.source.line = limits.front().lines.front();
  return result;
}

}  // namespace

std::vector<Limit> limits_of(const contract::Variant& variant, const LimitOptions& options) {
  std::vector<Limit> limits;
  const auto add = [&](std::optional<Limit> limit) {
    if (limit) limits.push_back(std::move(*limit));
  };
  if (!options.strict_launch) add(large_grid(variant));
  add(empty_launch(variant));
  add(narrow_index(variant, options.sparse));
  return limits;
}

}  // namespace warpcheck::campaign::checks
