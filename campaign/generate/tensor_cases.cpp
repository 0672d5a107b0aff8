#include "campaign/generate/tensor_cases.hpp"

#include <string>
#include <utility>

#include "base/hash.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/generate/data/tensor_data.hpp"
#include "campaign/generate/empty_domain.hpp"
#include "campaign/generate/grid_limits.hpp"
#include "campaign/generate/launch_cases.hpp"
#include "campaign/generate/tensors/empty_extents.hpp"
#include "campaign/generate/tensors/overflow_strides.hpp"
#include "campaign/generate/tensors/tensor_sampler.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;

// Each period of cases has one with an extent of 0, one that may overflow, and two whose data have
// a structure.
constexpr std::int64_t kSpecialPeriod = 11;
constexpr std::int64_t kFirstStructure = 1;
constexpr std::int64_t kEmptyCase = 3;
constexpr std::int64_t kOverflowCase = 5;
constexpr std::int64_t kGridCase = 7;
constexpr std::int64_t kSecondStructure = 9;
constexpr std::int64_t kRoundOfSpecials = 99;
constexpr int kTensorAttempts = 24;  // samples of one case

}  // namespace

TensorCases::TensorCases(const Contract& contract, std::uint64_t seed, std::int64_t max_size,
                         bool int32_overflow_strides, const SizeLimits& limits)
    : contract_(contract),
      seed_(mixed(seed, mixed(contract.name.size(), contract.name))),
      max_size_(max_size),
      domain_(contract, limits),
      of_blocks_(extents_of_blocks(contract)),
      structures_(structures(contract)) {
  require_launches(contract);
  if (int32_overflow_strides && max_size == 0) overflow_fields_ = overflow_fields(contract);
  if (max_size == 0) {
    grid_cases_ = beyond_grid_limits(contract, domain_.solver());
  }
  (void)draw(0);  // throws if the domain is empty
}

TensorSampler TensorCases::sampler(std::uint64_t bits) const {
  return {contract_, domain_, of_blocks_, max_size_, bits};
}

/// An extent of 0, each in turn, or, once in a hundred cases, an overflow of each tensor and a grid
/// beyond each limit; empty if the case has another number, or if the domain has no such case.
std::optional<Case> TensorCases::special_case(std::int64_t index) const {
  const std::int64_t in_period = index % kSpecialPeriod;
  const bool is_empty = in_period == kEmptyCase;
  const std::int64_t number = index % kRoundOfSpecials / kSpecialPeriod;
  const std::int64_t fields = std::ssize(overflow_fields_);
  const bool overflows = in_period == kOverflowCase && number < 2 * fields;
  if (in_period == kGridCase && number < std::ssize(grid_cases_)) {
    return grid_cases_[static_cast<std::size_t>(number)];
  }
  if (!is_empty && !overflows) return std::nullopt;
  const std::uint64_t bits = mixed(seed_, static_cast<std::uint64_t>(index) * kTensorAttempts);
  const auto extents = std::ssize(contract_.tensors->operation.extents);
  const bool is_small = !is_empty || index / kSpecialPeriod / extents % 2 == 0;
  TensorSampler sampler = this->sampler(bits);
  const Case sampled = is_small ? sampler.small() : sampler.with_loops();
  const auto small = domain_.solver().project(sampled);
  if (!small || !domain_.is_affordable(*small, kMostTensorSteps)) return std::nullopt;
  if (is_empty) return with_empty_extent(contract_, *small, index / kSpecialPeriod);
  const std::string& field = overflow_fields_[static_cast<std::size_t>(number % fields)];
  const std::int64_t beyond = number < fields ? kBeyondInt32 : kBeyondUint32;
  return with_overflow_stride(contract_, *small, field, beyond, bits);
}

/// Each structure in its turn; empty if the case has another number.
std::optional<Recipe> TensorCases::structure(std::int64_t index) const {
  const std::int64_t in_period = index % kSpecialPeriod;
  if (in_period != kFirstStructure && in_period != kSecondStructure) return std::nullopt;
  if (structures_.empty()) return std::nullopt;
  const std::int64_t number = 2 * (index / kSpecialPeriod) + (in_period == kFirstStructure ? 0 : 1);
  return structures_[(seed_ + static_cast<std::uint64_t>(number)) % structures_.size()];
}

GeneratedCase TensorCases::draw(std::int64_t index) const {
  if (auto special = special_case(index)) return {std::move(*special), std::nullopt};
  std::optional<std::string> excluded_by;
  for (int attempt = 0; attempt < kTensorAttempts; ++attempt) {
    const std::uint64_t number = static_cast<std::uint64_t>(index) * kTensorAttempts;
    TensorSampler sampler =
        this->sampler(mixed(seed_, number + static_cast<std::uint64_t>(attempt)));
    Case sampled = normalized(contract_, sampler.sample(index));
    if (const auto data = structure(index)) sampled.data = *data;
    if (attempt == 0) excluded_by = violated(contract_, sampled);
    // The domain may have no case within the budget.
    const double budget =
        attempt < kTensorAttempts / 2 ? 4.0 * sampler.budget() : 64.0 * kMostTensorSteps;
    const auto problem = domain_.solver().project(sampled);
    if (problem && domain_.is_affordable(*problem, budget)) return {*problem, excluded_by};
  }
  throw_empty_domain(contract_, domain_.solver().conflict());
}

Combinations TensorCases::combinations(std::int64_t) const { return {}; }

Row TensorCases::levels(const Case&) const { return {}; }

}  // namespace warpcheck::campaign::generate
