#include "campaign/interpret/suitable_cases.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/generate/sampling/solver.hpp"

namespace warpcheck::campaign::interpret {
namespace {

using contract::Contract;
using Kind = CaseField::Kind;

constexpr std::array<std::int64_t, 8> kSizes = {3, 7, 5, 11, 2, 13, 17, 19};
// Extents become parts of a tile, or several tiles.
constexpr std::array<std::int64_t, 4> kScales = {9, 4, 2, 1};
constexpr std::array<double, 4> kFactors = {0.5, 2.0, -1.0, 4.0};
constexpr std::int64_t kMostWork = 1 << 22;  // multiply-adds of a case

/// A case with other extents and factors for each number.
Case target_of(const Contract& contract, const CaseSchema& schema, std::size_t number) {
  Case target;
  target.variant = contract.name;
  target.seed = number;
  std::size_t extents = 0;
  std::size_t factors = 0;
  for (const CaseField& field : schema.fields) {
    if (field.kind == Kind::extent) {
      field.set(target,
                kSizes[(number + extents++) % kSizes.size()] * kScales[number % kScales.size()]);
    } else if (field.kind == Kind::factor && field.is_taken) {
      field.set_number(target, kFactors[(number + factors++) % kFactors.size()]);
    }
  }
  return target;
}

std::size_t different_extents(const CaseSchema& schema, const Case& problem) {
  std::set<std::int64_t> sizes;
  for (const std::size_t extent : schema.fields_of_kind(Kind::extent)) {
    sizes.insert(schema.fields[extent].get(problem));
  }
  return sizes.size();
}

}  // namespace

std::vector<Case> suitable_cases(const Contract& contract, std::size_t count) {
  const generate::Solver solver = generate::limited_solver(contract);
  const CaseSchema& schema = solver.schema();
  std::vector<Case> cases;
  for (std::size_t i = 0; i < 4 * kSizes.size(); ++i) {
    auto problem = solver.project(target_of(contract, schema, i));
    if (!problem) continue;
    const auto work = schema.work.evaluate(bindings(contract, *problem));
    if (work && *work <= kMostWork &&
        std::find(cases.begin(), cases.end(), *problem) == cases.end())
      cases.push_back(std::move(*problem));
  }
  std::stable_sort(cases.begin(), cases.end(), [&](const Case& one, const Case& other) {
    return different_extents(schema, one) > different_extents(schema, other);
  });
  cases.resize(std::min(cases.size(), count));
  return cases;
}

}  // namespace warpcheck::campaign::interpret
