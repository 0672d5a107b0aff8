// Samples of cases of operations of the language, which need not be in the domain of the contract.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "campaign/case/case.hpp"
#include "campaign/generate/tensors/tensor_domain.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Steps of the operation in cases with one large extent.
inline constexpr double kMostTensorSteps = 0x1p19;

/// The extents with which blocks compute: each index of one of the others has blocks of its own, as
/// those of "heads" in the grid ["ceil_div(length, 32)", "heads"]. All, if none is left.
[[nodiscard]] std::vector<std::string> extents_of_blocks(const contract::Contract& contract);

/// Draws the fields of one case.
class TensorSampler {
 public:
  /// Refers to the contract, the domain and the solver. `max_size` bounds the extents; 0: no limit.
  TensorSampler(const contract::Contract& contract, const TensorDomain& domain,
                const Solver& solver, const std::vector<std::string>& extents_of_blocks,
                std::int64_t max_size, std::uint64_t seed)
      : contract_(contract),
        domain_(domain),
        solver_(solver),
        of_blocks_(extents_of_blocks),
        max_size_(max_size),
        state_(seed) {}

  /// `index` is the number of the case. One case of three is directed at numbers of the contract.
  [[nodiscard]] Case sample(std::int64_t index);

  /// Returns true if the case with this number is directed at numbers of the contract.
  [[nodiscard]] static bool is_directed(std::int64_t index);

  /// Steps of the operation that the sample was to keep to.
  [[nodiscard]] double budget() const { return budget_; }

 private:
  using Names = std::vector<std::string>;

  std::uint64_t next() { return state_ = mixed(state_); }
  std::int64_t below(std::int64_t limit);
  template <typename Values>
  typename Values::value_type pick(const Values& values);

  std::int64_t extent();
  std::int64_t small_extent();
  std::int64_t unbounded_extent();
  std::int64_t size_near(std::int64_t landmark);
  void direct(std::int64_t number, Case& problem);
  bool keep_beyond(const std::string& chosen, std::int64_t landmark, double most, Case& problem);
  void direct_pair(std::int64_t number, Case& problem);
  void keep_to_limits(const Names& extents, Case& problem);
  void draw_budget(double least, double most);
  void fit(Case& problem);
  void reduce(Case& problem, const Names& extents, bool by_size, std::int64_t least) const;
  [[nodiscard]] Names others_than(const Names& kept) const;
  void keep_large(const Names& kept, bool by_size, Case& problem) const;
  void finish(Case& problem);
  void place(const operation::Tensor& tensor, Case& problem);

  const contract::Contract& contract_;
  const TensorDomain& domain_;
  const Solver& solver_;
  const Names& of_blocks_;
  std::int64_t max_size_;
  std::uint64_t state_;
  double budget_ = 0.0;
};

}  // namespace warpcheck::campaign::generate
