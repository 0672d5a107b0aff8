// Changes a case so that it satisfies conditions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/case/schema.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "workflows/explore/vocabulary.hpp"

namespace warpcheck::workflows::explore {

class Repair {
 public:
  /// Keeps references to its arguments. Extents do not exceed `max_size`.
  Repair(const contract::Contract& contract, const std::vector<Quantity>& quantities,
         std::int64_t max_size, campaign::generate::Rng& random)
      : contract_(contract),
        schema_(campaign::case_schema(contract)),
        quantities_(quantities),
        max_size_(max_size),
        random_(random) {}

  /// Returns a case near `problem` that satisfies all conditions and has a valid layout; empty if
  /// the search, which is bounded, finds none.
  [[nodiscard]] std::optional<campaign::Case> satisfy(campaign::Case problem,
                                                      const Conjunction& conditions);

 private:
  void repair_strides(campaign::Case& problem) const;
  void establish(const Condition& condition, campaign::Case& problem);
  void make_congruent(const Condition& condition, campaign::Case& problem);
  void make_same(const Condition& condition, campaign::Case& problem);
  void set(campaign::Case& problem, std::size_t quantity, double value) const;
  [[nodiscard]] double value(const campaign::Case& problem, std::size_t quantity) const;

  const contract::Contract& contract_;
  campaign::CaseSchema schema_;
  const std::vector<Quantity>& quantities_;
  std::int64_t max_size_;
  campaign::generate::Rng& random_;
};

}  // namespace warpcheck::workflows::explore
