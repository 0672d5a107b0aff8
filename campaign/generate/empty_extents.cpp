#include "campaign/generate/empty_extents.hpp"

#include <algorithm>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/operand_layout.hpp"
#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/data/tensor_data.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using contract::Expression;

constexpr std::size_t kMostEmptyCaseBytes = std::size_t{1} << 28;

/// True if the expressions of the launch have values: n / columns has none without columns.
bool has_values(const contract::LaunchStep& step, const contract::Bindings& names) {
  const auto has_value = [&](const Expression& expression) {
    return expression.evaluate(names).has_value();
  };
  return std::all_of(step.block.begin(), step.block.end(), has_value) &&
         std::all_of(step.grid.begin(), step.grid.end(), has_value) && has_value(step.shared) &&
         std::all_of(step.arguments.begin(), step.arguments.end(),
                     [&](const contract::Argument& argument) {
                       return argument.word != contract::ArgumentWord::expression ||
                              has_value(argument.value);
                     });
}

/// The axis of the grid or of the block that is 0; null: none.
const Expression* empty_axis(const contract::LaunchStep& step, const contract::Bindings& names) {
  for (const auto* axes : {&step.grid, &step.block}) {
    for (const Expression& axis : *axes) {
      if (axis.evaluate(names).value_or(0) <= 0) return &axis;
    }
  }
  return nullptr;
}

Case with_zero(const Contract& contract, Case problem, const CaseField& extent) {
  extent.set(problem, 0);
  reset_short_strides(contract, problem);
  return normalized(contract, problem);
}

/// The extents for which 0 is a special value.
std::vector<CaseField> special_extents(const Contract& contract) {
  std::vector<CaseField> extents = case_schema(contract).fields;
  std::erase_if(extents, [](const CaseField& field) {
    return field.kind != CaseField::Kind::extent || field.has_zero;
  });
  return extents;
}

}  // namespace

EmptyCase empty_case(const Contract& contract, const Case& problem) {
  if (launches_nothing(problem) || violated(contract, problem) ||
      !can_be_laid_out(contract, problem, kMostEmptyCaseBytes)) {
    return EmptyCase::impossible;
  }
  const contract::Bindings names = bindings(contract, problem);
  const bool has_output = !has_no_output(contract, problem);
  int launches = 0;
  bool lacks_threads = false;
  for (const contract::LaunchStep& step : contract.launches) {
    if (!applies(contract, step, problem)) continue;
    if (!has_values(step, names)) return EmptyCase::impossible;
    const bool is_empty = empty_axis(step, names) != nullptr;
    lacks_threads = lacks_threads || is_empty;
    launches += is_empty ? 0 : 1;
  }
  if (case_schema(contract).may_lack_values && !has_values(contract, problem)) {
    return EmptyCase::impossible;
  }
  if (lacks_threads && has_output) return EmptyCase::no_threads;
  return launches == 0 ? EmptyCase::impossible : EmptyCase::runs;
}

std::vector<EmptyLaunch> empty_launches(const Contract& contract) {
  std::vector<EmptyLaunch> found;
  Case ones;
  ones.variant = contract.name;
  ones = normalized(contract, ones);
  for (const CaseField& extent : special_extents(contract)) {
    const Case problem = with_zero(contract, ones, extent);
    if (empty_case(contract, problem) != EmptyCase::no_threads) continue;
    const contract::Bindings names = bindings(contract, problem);
    for (const contract::LaunchStep& step : contract.launches) {
      const Expression* const axis = empty_axis(step, names);
      if (axis == nullptr || !applies(contract, step, problem)) continue;
      found.push_back({extent.name, axis->text(), problem});
      break;
    }
  }
  return found;
}

std::optional<Case> with_empty_extent(const Contract& contract, const Case& small,
                                      std::int64_t number) {
  const std::vector<CaseField> extents = special_extents(contract);
  if (extents.empty()) return std::nullopt;
  std::vector<Case> possible;
  for (const CaseField& extent : extents) {
    Case problem = with_zero(contract, small, extent);
    if (empty_case(contract, problem) == EmptyCase::runs) possible.push_back(std::move(problem));
  }
  const std::size_t turn = static_cast<std::size_t>(number) % extents.size();
  if (turn >= possible.size()) return std::nullopt;
  return possible[turn];
}

}  // namespace warpcheck::campaign::generate
