#include "campaign/generate/tensors/tensor_sampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/data/random_bits.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using operation::Tensor;

constexpr double kLeastSteps = 256.0;          // steps of the operation in the cheapest cases
constexpr double kLeastStepsOfPairs = 0x1p18;  // steps in cases with two large extents
constexpr double kMostStepsOfPairs = 0x1p20;
// The most steps of a case whose one large extent is past a number of the contract, and of the
// first one in four and in sixteen of these. 2^27 steps take 3 s.
constexpr double kMostStepsOfDirected = 0x1p22;
constexpr double kMostStepsOfFourth = 0x1p25;
constexpr double kMostStepsOfSixteenth = 0x1p27;
constexpr std::int64_t kMostSmallExtent = 7;
// The first extent of a pair is reduced to so many, before the second: one or two tiles of tensor
// cores.
constexpr std::int64_t kLeastOfPair = 9;
constexpr std::int64_t kMostOfPair = 32;
// An extent is at most this far below its limit in the contract.
constexpr std::int64_t kMostBelowLimit = 7;
constexpr std::int64_t kCasesPerDirected = 3;  // one of them is at a number of the contract
constexpr std::int64_t kDirectedCase = 1;
constexpr std::array<std::int64_t, 10> kPrimes = {11, 13, 17, 31, 37, 61, 97, 127, 257, 521};
constexpr std::array<double, 8> kScalars = {1.0, 1.0, 0.5, 2.0, -1.0, 0.125, 1.7, -0.3};
constexpr std::array<Recipe, 8> kRecipes = {Recipe::normal,  Recipe::lattice, Recipe::normal,
                                            Recipe::wide,    Recipe::normal,  Recipe::lattice,
                                            Recipe::special, Recipe::normal};
// Operations with integers mask elements, or select them: others may not matter.
constexpr std::array<Recipe, 8> kRecipesOfSelected = {
    Recipe::normal, Recipe::lattice, Recipe::special, Recipe::wide,
    Recipe::normal, Recipe::lattice, Recipe::special, Recipe::normal};

bool selects_elements(const Contract& contract) {
  const std::vector<Tensor>& inputs = contract.tensors->operation.inputs;
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Tensor& input) { return input.integer; });
}

}  // namespace

std::vector<std::string> extents_of_blocks(const Contract& contract) {
  std::vector<std::string> found;
  for (const CaseField& field : case_schema(contract).fields) {
    if (field.kind == CaseField::Kind::extent && !has_blocks_of_its_own(contract, field)) {
      found.push_back(field.name);
    }
  }
  return found.empty() ? contract.tensors->operation.extents : found;
}

std::int64_t TensorSampler::below(std::int64_t limit) { return random_bits::below(next(), limit); }

template <typename Values>
typename Values::value_type TensorSampler::pick(const Values& values) {
  return values[static_cast<std::size_t>(below(std::ssize(values)))];
}

Case TensorSampler::sample(std::int64_t index) {
  Case problem;
  problem.variant = contract_.name;
  problem.operation = contract_.operation;
  problem.seed = next() % 1'000'000;
  problem.data = pick(selects_elements(contract_) ? kRecipesOfSelected : kRecipes);
  for (const std::string& name : contract_.tensors->operation.extents) {
    problem.set_value(name, static_cast<double>(extent()));
  }
  const std::int64_t number = index / kCasesPerDirected;
  if (!is_directed(index) || max_size_ != 0 || domain_.landmarks().empty()) {
    fit(problem);
  } else if (number % 2 == 1 && of_blocks_.size() > 1) {
    direct_pair(number / 2, problem);
  } else {
    direct(of_blocks_.size() > 1 ? number / 2 : number, problem);
  }
  finish(problem);
  return problem;
}

bool TensorSampler::is_directed(std::int64_t index) {
  return index % kCasesPerDirected == kDirectedCase;
}

std::int64_t TensorSampler::extent() {
  const std::int64_t most = max_size_ == 0 ? kMostTensorLandmark * 4 : max_size_;
  return std::clamp<std::int64_t>(unbounded_extent(), 1, most);
}

/// Seldom 1: a softmax of one column, or the weight of one key, does not depend on the input.
std::int64_t TensorSampler::small_extent() {
  const std::int64_t most =
      max_size_ == 0 ? kMostSmallExtent : std::min(max_size_, kMostSmallExtent);
  return below(16) == 0 ? 1 : std::min<std::int64_t>(2 + below(kMostSmallExtent - 1), most);
}

std::int64_t TensorSampler::unbounded_extent() {
  switch (below(8)) {
    case 0:
    case 1:
      return small_extent();
    case 2:
      return pick(kPrimes);
    case 3:
      return 1 + below(std::int64_t{1} << (3 + below(12)));
    default:
      break;
  }
  if (domain_.landmarks().empty()) return 1 + below(300);
  const std::int64_t landmark = pick(domain_.landmarks());
  return landmark * (1 + below(3)) + below(5) - 2;
}

/// Returns the landmark or twice of it, a size near it, or the middle between two.
std::int64_t TensorSampler::size_near(std::int64_t landmark) {
  const std::array<std::int64_t, 5> more = {-1, 0, 1, 2, 1 + landmark / 2};
  return std::max<std::int64_t>((1 + below(2)) * landmark + pick(more), 1);
}

/// Sets one extent near a landmark and the others to small numbers: each extent and each landmark
/// in turn.
void TensorSampler::direct(std::int64_t number, Case& problem) {
  const auto& extents = contract_.tensors->operation.extents;
  const auto& landmarks = domain_.landmarks();
  const auto choice = static_cast<std::size_t>(number);
  const std::string& chosen = extents[choice % extents.size()];
  for (const std::string& name : extents) {
    problem.set_value(name, static_cast<double>(small_extent()));
  }
  const std::size_t from_last = choice / extents.size() % landmarks.size();
  const std::int64_t landmark = landmarks[landmarks.size() - 1 - from_last];
  budget_ = kMostTensorSteps;
  const double most = number % 16 == 0  ? kMostStepsOfSixteenth
                      : number % 4 == 0 ? kMostStepsOfFourth
                                        : kMostStepsOfDirected;
  const std::array<std::int64_t, 3> past = {1, 2, 1 + landmark / 2};
  problem.set_value(chosen,
                    static_cast<double>(most == kMostStepsOfSixteenth ? landmark + pick(past)
                                                                      : size_near(landmark)));
  if (!keep_beyond(chosen, landmark, most, problem)) keep_large({chosen}, false, problem);
}

/// Makes the other extents smaller until the case keeps to the budget, or to `most` with the chosen
/// extent as it is or just past the landmark: a definition may take steps in proportion to its
/// square. Returns false, and changes nothing, if that is not possible.
bool TensorSampler::keep_beyond(const std::string& chosen, std::int64_t landmark, double most,
                                Case& problem) {
  const Names others = others_than({chosen});
  Case reduced = problem;
  reduce(reduced, others, false, 2);
  if (domain_.is_affordable(reduced, budget_)) return false;  // keep_large() does the same
  reduce(reduced, others, false, 1);
  for (const std::int64_t size : {tensor::extent(reduced, chosen), landmark + 1}) {
    reduced.set_value(chosen, static_cast<double>(size));
    if (!domain_.is_affordable(reduced, most)) continue;
    budget_ = most;
    problem = std::move(reduced);
    return true;
  }
  return false;
}

/// Sets two extents of blocks near landmarks, or anywhere below twice a landmark, and the others to
/// 1: each pair in turn. An element past both of two tiles, or in the last part of a vector in a
/// later row, exists only if both are large. If both together cost too much, one of them keeps its
/// size in two of three cases, and the other one has two parts; in the third case both are reduced,
/// and another extent may be larger than 1.
void TensorSampler::direct_pair(std::int64_t number, Case& problem) {
  const auto count = static_cast<std::int64_t>(of_blocks_.size());
  const std::int64_t distance = 1 + number / count % std::max<std::int64_t>(count / 2, 1);
  const Names pair = {of_blocks_[static_cast<std::size_t>(number % count)],
                      of_blocks_[static_cast<std::size_t>((number + distance) % count)]};
  const Names& all = contract_.tensors->operation.extents;
  const bool by_size = below(3) == 0;
  for (const std::string& name : all) problem.set_value(name, 1.0);
  if (by_size) problem.set_value(pick(all), static_cast<double>(small_extent()));
  for (const std::string& name : pair) {
    const std::int64_t landmark = pick(domain_.landmarks());
    const std::int64_t size = next() % 2 == 0 ? size_near(landmark) : 1 + below(2 * landmark);
    problem.set_value(name, static_cast<double>(size));
  }
  if (next() % 2 == 0) problem.data = Recipe::normal;  // shows roundings
  keep_to_limits(pair, problem);
  draw_budget(by_size ? kLeastStepsOfPairs : 2.0 * kLeastStepsOfPairs, kMostStepsOfPairs);
  const Names order = next() % 2 == 0 ? pair : Names{pair[1], pair[0]};
  const std::int64_t most = by_size ? kMostOfPair : kLeastOfPair + 3;
  reduce(problem, order, by_size, kLeastOfPair + below(most - kLeastOfPair + 1));
  keep_large(order, by_size, problem);
}

/// Reduces sizes beyond a limit of the contract, which would make the other ones smaller than they
/// need to be: to the limit, or to a little less, so that the last vector is not full.
void TensorSampler::keep_to_limits(const Names& extents, Case& problem) {
  const auto near = solver_.project(problem);
  if (!near) return;
  for (const std::string& name : extents) {
    const std::int64_t limit = tensor::extent(*near, name);
    if (limit >= tensor::extent(problem, name)) continue;
    const std::int64_t less = next() % 2 == 0 ? below(kMostBelowLimit + 1) : 0;
    problem.set_value(name, static_cast<double>(std::max<std::int64_t>(limit - less, 1)));
  }
}

/// Its logarithm is uniform.
void TensorSampler::draw_budget(double least, double most) {
  const double share = static_cast<double>(next() >> 11) * 0x1p-53;
  budget_ = least * std::pow(most / least, share);
}

/// Draws the budget, and makes extents smaller until the case keeps to it: the largest ones, or
/// one after the other, so that another one remains large. In three of four cases those of blocks
/// remain larger than the others.
void TensorSampler::fit(Case& problem) {
  draw_budget(kLeastSteps, kMostTensorSteps);
  const bool by_size = next() % 2 == 0;
  Names extents = below(4) == 0 ? contract_.tensors->operation.extents : of_blocks_;
  std::rotate(extents.begin(), extents.begin() + below(std::ssize(extents)), extents.end());
  keep_large(extents, by_size, problem);
}

TensorSampler::Names TensorSampler::others_than(const Names& kept) const {
  Names others = contract_.tensors->operation.extents;
  std::erase_if(others, [&](const std::string& name) {
    return std::find(kept.begin(), kept.end(), name) != kept.end();
  });
  return others;
}

/// Makes other extents smaller, and then these, until the case keeps to the budget. All remain at
/// least 2 as long as that is possible.
void TensorSampler::keep_large(const Names& kept, bool by_size, Case& problem) const {
  const Names others = others_than(kept);
  for (const std::int64_t least : {2, 1}) {
    reduce(problem, others, by_size, least);
    reduce(problem, kept, by_size, least);
  }
}

/// Makes these extents smaller, but not less than `least`, until the case keeps to the budget.
void TensorSampler::reduce(Case& problem, const Names& extents, bool by_size,
                           std::int64_t least) const {
  while (!domain_.is_affordable(problem, budget_)) {
    const auto size_of = [&](const std::string& name) { return tensor::extent(problem, name); };
    auto chosen = std::find_if(extents.begin(), extents.end(),
                               [&](const std::string& name) { return size_of(name) > least; });
    if (chosen == extents.end()) return;
    if (by_size) {
      chosen = std::max_element(
          extents.begin(), extents.end(),
          [&](const auto& one, const auto& other) { return size_of(one) < size_of(other); });
    }
    const std::int64_t size = size_of(*chosen);
    problem.set_value(*chosen, static_cast<double>(std::max(size - (size + 3) / 4, least)));
  }
}

/// Sets strides, offsets and scalars.
void TensorSampler::finish(Case& problem) {
  for (const Tensor& tensor : contract_.tensors->tensors) place(tensor, problem);
  for (const std::string& name : contract_.tensors->operation.scalars) {
    problem.set_value(name, pick(kScalars));
  }
}

void TensorSampler::place(const Tensor& tensor, Case& problem) {
  constexpr std::array<std::int64_t, 8> kPadding = {0, 0, 0, 1, 1, 3, 4, 7};
  constexpr std::array<std::int64_t, 8> kOffsets = {0, 0, 0, 0, 0, 1, 2, 3};
  for (const std::string& field : tensor::strides_taken(contract_, tensor)) {
    const std::int64_t padding = pick(kPadding);
    const std::int64_t tight = tensor::tight_value(contract_, problem, field);
    const std::int64_t stride = padding == 4 ? (tight + 7) / 4 * 4 : tight + padding;
    problem.set_value(field, static_cast<double>(stride));
  }
  const std::int64_t offset = pick(kOffsets);
  problem.set_value(contract::offset_field(tensor.name), static_cast<double>(offset));
}

}  // namespace warpcheck::campaign::generate
