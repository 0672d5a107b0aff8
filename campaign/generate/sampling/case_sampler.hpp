// Draws one case of a contract without regard to `requires`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/affordable.hpp"
#include "campaign/generate/sampling/costs.hpp"
#include "campaign/generate/sampling/rng.hpp"

namespace warpcheck::campaign::generate {

/// The sizes and costs from which the cases of a contract are sampled.
struct SampleSpace {
  /// Refers to the cases. The least case is one of the domain that is not empty.
  SampleSpace(const AffordableCases& cases, const Case& least);

  const AffordableCases& cases;
  std::vector<std::size_t> extents;
  std::vector<std::size_t> block_extents;  // see block_extents_of()
  std::vector<std::int64_t> numbers;       // see contract_numbers()
  double least_work = 0.0;                 // the least budget of a case
  Cost most;                               // the largest cost of a case
};

/// Draws the fields of one case. Its budget of work is log-uniform, so that large shapes are not
/// rare. Extents are near multiples of tiles and of numbers of the contract, small, prime, or far
/// from one another. Refers to the space.
class CaseSampler {
 public:
  CaseSampler(const SampleSpace& space, std::uint64_t seed);

  /// Draws extents of any size that the budget allows. If it `spends`, the budget is the largest
  /// one.
  [[nodiscard]] Case any(bool spends);

  /// The cost that the sample was to keep to.
  [[nodiscard]] const Cost& budget() const { return budget_; }

 private:
  using Fields = std::vector<std::size_t>;

  [[nodiscard]] const CaseSchema& schema() const { return costs_.schema(); }
  [[nodiscard]] const CaseField& field(std::size_t number) const { return schema().fields[number]; }

  [[nodiscard]] Case blank();
  [[nodiscard]] std::int64_t extent(std::size_t number);
  [[nodiscard]] std::int64_t any_extent(std::size_t number);
  [[nodiscard]] std::int64_t small_extent();
  [[nodiscard]] Case finished(Case problem);

  const SampleSpace& space_;
  const CostModel& costs_;
  Rng rng_;
  Cost budget_;
};

/// Returns a number whose logarithm is uniform.
[[nodiscard]] double log_uniform(double least, double most, Rng& rng);

/// Returns about the least stride that the layout needs, or one that is wider by some elements, or
/// rounded up to a multiple of 4, 8 or 32. 0: tight.
[[nodiscard]] std::int64_t sample_stride(Rng& rng, std::int64_t tight);

}  // namespace warpcheck::campaign::generate
