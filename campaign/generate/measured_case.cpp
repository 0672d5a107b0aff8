#include "campaign/generate/measured_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/case/normalized.hpp"
#include "campaign/generate/sampling/tiles.hpp"

namespace warpcheck::campaign::generate {
namespace {

constexpr std::int64_t kMostEvenExtent = 8192;

bool are_extents(const CaseSchema& schema, const std::vector<NamedValue>& sizes) {
  const auto is_size = [&](std::size_t extent) {
    const auto has_name = [&](const NamedValue& size) {
      return size.name == schema.fields[extent].name;
    };
    return std::any_of(sizes.begin(), sizes.end(), has_name);
  };
  const std::vector<std::size_t> extents = schema.fields_of_kind(CaseField::Kind::extent);
  return extents.size() == sizes.size() && std::all_of(extents.begin(), extents.end(), is_size);
}

}  // namespace

std::optional<Case> even_case(const Solver& solver, const Cost& most) {
  const CaseSchema& schema = solver.schema();
  const contract::Contract& contract = solver.contract();
  const Tiles no_tiles;
  const CostModel costs(contract, schema, no_tiles);
  Case problem;
  problem.variant = contract.name;
  problem.data = Recipe::normal;
  problem = normalized(contract, problem);
  for (std::int64_t size = 2; size <= kMostEvenExtent; size *= 2) {
    for (const std::size_t extent : schema.fields_of_kind(CaseField::Kind::extent)) {
      Case larger = problem;
      schema.fields[extent].set(larger, size);
      if (costs.cost(larger).is_within(most)) problem = larger;
    }
  }
  return solver.project(problem);
}

std::optional<Case> measured_case(const contract::Contract& contract,
                                  const std::vector<NamedValue>& sizes, const Cost& most) {
  const Solver solver = limited_solver(contract);
  if (!are_extents(solver.schema(), sizes)) return even_case(solver, most);
  Case target;
  target.variant = contract.name;
  for (const NamedValue& size : sizes) {
    solver.schema().fields[*solver.schema().find(size.name)].set_number(target, size.value);
  }
  return solver.project(target);
}

std::string measured_text(const contract::Contract& contract,
                          const std::vector<NamedValue>& sizes) {
  if (!are_extents(case_schema(contract), sizes)) return "of about equal extents";
  std::string text = "near";
  for (const NamedValue& size : sizes) text += fmt::format(" {}={}", size.name, size.value);
  return text;
}

}  // namespace warpcheck::campaign::generate
