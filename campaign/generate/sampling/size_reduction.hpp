// Makes the extents of a case smaller until it costs little enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/costs.hpp"

namespace warpcheck::campaign::generate {

/// Refers to the costs.
class SizeReduction {
 public:
  using Fields = std::vector<std::size_t>;

  SizeReduction(const CostModel& costs, const Cost& most) : costs_(costs), most_(most) {}

  [[nodiscard]] bool is_affordable(const Case& problem) const {
    return costs_.ordinary_cost(problem).is_within(most_);
  }

  /// Makes these extents smaller, but not less than `least`, until the case is affordable: the
  /// largest ones, or one after the other, so that another one remains large.
  void reduce(Case& problem, const Fields& extents, bool by_size, std::int64_t least) const;

  /// Makes other extents smaller, and then these, until the case is affordable. All remain at least
  /// 2 as long as that is possible.
  void keep_large(const Fields& kept, bool by_size, Case& problem) const;

 private:
  [[nodiscard]] std::int64_t least_size(std::size_t number, std::int64_t least) const;
  [[nodiscard]] std::int64_t reduced(std::size_t number, std::int64_t size,
                                     std::int64_t least) const;

  const CostModel& costs_;
  Cost most_;
};

}  // namespace warpcheck::campaign::generate
