#include "workflows/fuzz/matrix_mutator.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "campaign/case/normalized.hpp"
#include "campaign/case/operand.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/sampling/case_sampler.hpp"
#include "device/device.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

constexpr double kMostWork = 1 << 22;  // multiply-adds in whole tiles
constexpr double kMostElements = 3e5;  // most elements of A, B and C together
constexpr std::int64_t kLargestExtent = 4096;
constexpr std::int64_t kMostBatch = 5;
constexpr std::int64_t kFarthestOffset = 17;  // elements; exceeds 16 bytes if each has one byte

bool is_integer(const contract::Contract& contract) {
  return unit_roundoff(contract.type_a) == 0.0;
}

/// Sums of the other recipes are to be exact, so their alpha and beta have few bits.
bool rounds(campaign::Recipe data) {
  return data == campaign::Recipe::normal || data == campaign::Recipe::wide;
}

/// Values of alpha and beta other than 0, 1 and -1.
std::vector<double> factors_of(const contract::Contract& contract, campaign::Recipe data) {
  if (contract.accumulate == ScalarType::s32) return {2.0, -3.0};
  return rounds(data) ? std::vector{0.7, -1.3, 3.0} : std::vector{2.0, -3.0, 0.5, 1.5};
}

bool fits(const std::vector<double>& factors, double factor) {
  return factor == 0.0 || factor == 1.0 || factor == -1.0 ||
         std::find(factors.begin(), factors.end(), factor) != factors.end();
}

}  // namespace

MatrixMutator::MatrixMutator(const contract::Contract& contract, std::vector<std::int64_t> literals,
                             std::vector<std::string> properties,
                             const campaign::generate::SizeLimits& sizes)
    : contract_(contract),
      solver_(contract, static_cast<std::int64_t>(device::kMostBufferBytes),
              campaign::generate::domain_rules(contract, sizes)),
      tiles_(campaign::generate::tiles(contract)),
      costs_(contract, solver_.schema(), tiles_),
      literals_(std::move(literals)),
      properties_(std::move(properties)),
      recipes_{campaign::Recipe::lattice, campaign::Recipe::cancellation, campaign::Recipe::spikes,
               campaign::Recipe::onehot} {
  if (!is_integer(contract_)) {
    recipes_.insert(recipes_.end(),
                    {campaign::Recipe::normal, campaign::Recipe::wide, campaign::Recipe::special});
  }
  least_work_ =
      16.0 * static_cast<double>(std::min<std::int64_t>(tiles_.extents[0].sizes.back(), 128) *
                                 std::min<std::int64_t>(tiles_.extents[1].sizes.back(), 128));
}

std::optional<campaign::Case> MatrixMutator::mutated(const campaign::Case& parent,
                                                     const campaign::Case& donor,
                                                     campaign::generate::Rng& random) const {
  campaign::Case problem = parent;
  do {
    change(problem, donor, random);
  } while (!random.one_in(2));
  // Each mutant has a budget of its own, so that most are cheap and some may be dear.
  const auto budget = static_cast<double>(std::uint64_t{1} << random.between(15, 22));
  return inside(std::move(problem), std::max(budget, least_work_));
}

std::vector<campaign::Case> MatrixMutator::neighbours(const campaign::Case& parent) const {
  std::vector<campaign::Case> found;
  for (std::int64_t campaign::Case::*const extent :
       {&campaign::Case::m, &campaign::Case::n, &campaign::Case::k}) {
    std::vector<std::int64_t> values = literals_;
    values.insert(values.end(), {parent.*extent - 1, parent.*extent + 1});
    for (const std::int64_t value : values) {
      campaign::Case target = parent;
      if (!properties_.empty()) target.property = properties_.front();
      target.*extent = std::max<std::int64_t>(value, extent == &campaign::Case::k ? 0 : 1);
      auto problem = inside(std::move(target), kMostWork);
      if (problem && *problem != parent) found.push_back(std::move(*problem));
    }
  }
  return found;
}

void MatrixMutator::change(campaign::Case& problem, const campaign::Case& donor,
                           campaign::generate::Rng& random) const {
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return change_extent(problem, random);
    case 4:
    case 5:
      return change_lines(problem, random);
    case 6:
      return change_offset(problem, random);
    case 7:
      return change_factor(problem, random);
    case 8:
      return change_shape(problem, random);
    case 9:
    case 10:
      return change_property(problem, random);
    default:
      return take_from(problem, donor, random);
  }
}

void MatrixMutator::change_extent(campaign::Case& problem, campaign::generate::Rng& random) const {
  const std::array<std::int64_t*, 3> extents = {&problem.m, &problem.n, &problem.k};
  const std::array<const std::vector<std::int64_t>*, 3> tiles = {
      &tiles_.extents[0].sizes, &tiles_.extents[1].sizes, &tiles_.extents[2].sizes};
  const std::size_t which = random.below(3);
  std::int64_t& extent = *extents[which];
  const std::int64_t tile = random.of(*tiles[which]);
  switch (random.below(8)) {
    case 0:
      extent += random.one_in(2) ? 1 : -1;
      break;
    case 1:  // another residue, the same number of tiles
      extent = extent / tile * tile + random.between(0, tile - 1);
      break;
    case 2:  // another number of tiles, the same residue
      extent = random.between(0, 5) * tile + extent % tile;
      break;
    case 3:
      extent = random.between(0, 5) * tile + random.between(-1, 1);
      break;
    case 4:
      extent = random.one_in(2) ? extent / 2 : extent * 2;
      break;
    case 5:
      extent = random.between(0, 9);
      break;
    case 6:
      if (!literals_.empty()) extent = random.of(literals_) + random.between(-1, 1);
      break;
    default:
      std::swap(extent, *extents[random.below(3)]);
  }
  for (std::int64_t* const one : extents) {
    *one = std::clamp<std::int64_t>(*one, one == &problem.k ? 0 : 1, kLargestExtent);
  }
}

/// Leading dimensions and strides.
void MatrixMutator::change_lines(campaign::Case& problem, campaign::generate::Rng& random) const {
  const auto strides = campaign::stride_fields(contract_);
  const std::size_t first = random.below(strides.size());
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const campaign::StrideField& stride = strides[(first + i) % strides.size()];
    if (!stride.taken_by(contract_)) continue;
    const std::int64_t tight = stride.kind == campaign::StrideField::Kind::leading_dimension
                                   ? campaign::line_length(contract_, problem, stride.operand)
                                   : stride.tight(contract_, problem);
    const std::int64_t step = std::int64_t{1} << random.between(1, 5);
    const std::array<std::int64_t, 4> values = {0, tight + 1, (tight / step + 1) * step,
                                                tight + random.between(2, 20)};
    problem.*stride.field = values[random.below(values.size())];
    return;
  }
}

void MatrixMutator::change_offset(campaign::Case& problem, campaign::generate::Rng& random) const {
  const std::array<std::int64_t campaign::Case::*, 4> offsets = {
      &campaign::Case::off_a, &campaign::Case::off_b, &campaign::Case::off_c,
      &campaign::Case::off_bias};
  problem.*offsets[random.below(offsets.size())] =
      random.one_in(3) ? 0 : random.between(1, random.one_in(2) ? 3 : kFarthestOffset);
}

void MatrixMutator::change_factor(campaign::Case& problem, campaign::generate::Rng& random) const {
  std::vector<double> values = factors_of(contract_, problem.data);
  values.insert(values.end(), {0.0, 1.0, -1.0});
  (random.one_in(2) ? problem.alpha : problem.beta) = random.of(values);
}

void MatrixMutator::change_shape(campaign::Case& problem, campaign::generate::Rng& random) const {
  switch (random.below(3)) {
    case 0:
      problem.ta = !problem.ta;
      break;
    case 1:
      problem.tb = !problem.tb;
      break;
    default:
      problem.batch = random.between(1, kMostBatch);
  }
}

/// Changes the property or the data.
void MatrixMutator::change_property(campaign::Case& problem,
                                    campaign::generate::Rng& random) const {
  switch (random.below(3)) {
    case 0:
      problem.data = random.of(recipes_);
      break;
    case 1:
      problem.seed = random.below(1'000'000);
      break;
    default:
      if (!properties_.empty()) {
        problem.property = random.one_in(2) ? properties_.front() : random.of(properties_);
      }
  }
}

void MatrixMutator::take_from(campaign::Case& problem, const campaign::Case& donor,
                              campaign::generate::Rng& random) const {
  const auto take = [&](auto campaign::Case::*field) {
    if (random.one_in(2)) problem.*field = donor.*field;
  };
  take(&campaign::Case::m);
  take(&campaign::Case::n);
  take(&campaign::Case::k);
  take(&campaign::Case::ta);
  take(&campaign::Case::tb);
  take(&campaign::Case::batch);
  take(&campaign::Case::lda);
  take(&campaign::Case::ldb);
  take(&campaign::Case::ldc);
  take(&campaign::Case::off_a);
  take(&campaign::Case::off_b);
  take(&campaign::Case::off_c);
  take(&campaign::Case::alpha);
  take(&campaign::Case::beta);
  take(&campaign::Case::data);
  take(&campaign::Case::property);
}

bool MatrixMutator::affordable(const campaign::Case& problem, double work) const {
  return costs_.cost(problem).is_within({work, kMostElements});
}

std::optional<campaign::Case> MatrixMutator::inside(campaign::Case problem, double work) const {
  const std::vector<double> factors = factors_of(contract_, problem.data);
  if (!fits(factors, problem.alpha)) problem.alpha = 1.0;
  if (!fits(factors, problem.beta)) problem.beta = 0.0;
  // Normalization clears the transposes that the contract does not take, among others.
  problem = campaign::normalized(contract_, std::move(problem));
  campaign::reset_short_strides(contract_, problem);
  if (!solver_.admits(problem)) {
    auto near = solver_.project(problem);
    if (!near) return std::nullopt;
    problem = std::move(*near);
  }
  if (!affordable(problem, work)) return std::nullopt;
  return problem;
}

}  // namespace warpcheck::workflows::fuzz
