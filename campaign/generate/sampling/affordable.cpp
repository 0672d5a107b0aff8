#include "campaign/generate/sampling/affordable.hpp"

#include <algorithm>
#include <utility>

#include "campaign/case/normalized.hpp"
#include "campaign/case/schema.hpp"

namespace warpcheck::campaign::generate {

std::optional<Case> AffordableCases::near(Case target, const Cost& most) const {
  const contract::Contract& contract = costs_.contract();
  target = normalized(contract, std::move(target));
  reset_short_strides(contract, target);
  std::optional<Case> found = solver_.project(target);
  if (!found || !costs_.cost(*found).is_within(most)) return std::nullopt;
  const CaseSchema& schema = costs_.schema();
  const auto extents = schema.fields_of_kind(CaseField::Kind::extent);
  const bool is_small = std::all_of(extents.begin(), extents.end(), [&](std::size_t extent) {
    return max_size_ == 0 || schema.fields[extent].get(*found) <= max_size_;
  });
  return is_small ? found : std::nullopt;
}

}  // namespace warpcheck::campaign::generate
