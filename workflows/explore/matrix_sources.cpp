#include <algorithm>
#include <cmath>

#include "campaign/matrices/product.hpp"
#include "workflows/explore/source_model.hpp"

namespace warpcheck::workflows::explore {
namespace {

using campaign::Case;
using contract::Contract;

constexpr double kMostCommonWork = 2.5e6;  // multiply-adds of a case with common extents

Case friendly_case(const Contract& contract, std::int64_t m, std::int64_t n, std::int64_t k) {
  Case problem;
  problem.variant = contract.name;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.seed = 1;
  return problem;
}

class MatrixSourceModel final : public SourceModel {
 public:
  double size_of(const Contract&, const Case& problem) const override {
    return static_cast<double>(problem.m * problem.n + problem.k);
  }

  std::vector<Case> friendly_cases(const Contract& contract) const override {
    std::vector<Case> cases;
    for (const std::int64_t size : {128, 64, 32, 16, 8, 4, 2, 256, 48, 96, 80, 7, 33, 1}) {
      cases.push_back(friendly_case(contract, size, size, size));
    }
    for (const std::int64_t size : {128, 64, 16, 4}) {
      for (const std::int64_t k : {8, 16, 32, 48, 64, 3, 1}) {
        cases.push_back(friendly_case(contract, size, size, k));
        cases.push_back(friendly_case(contract, size, 2 * size, k));
        cases.push_back(friendly_case(contract, 2 * size, size, k));
      }
    }
    const std::size_t without_c = cases.size();
    for (std::size_t i = 0; i < without_c; ++i) {
      Case with_c = cases[i];
      with_c.beta = 1.0;
      cases.push_back(with_c);
    }
    return cases;
  }

  std::vector<Case> small_cases(const Contract& contract, campaign::generate::Rng& random,
                                std::size_t count) const override {
    constexpr std::int64_t kMostSize = 96;
    std::vector<Case> cases;
    while (cases.size() < count) {
      Case problem = friendly_case(contract, random.between(1, kMostSize),
                                   random.between(1, kMostSize), random.between(1, kMostSize));
      if (random.one_in(3)) problem.m = problem.n;
      if (random.one_in(3)) problem.k = problem.n;
      if (random.one_in(2)) problem.beta = 1.0;
      if (random.one_in(4)) problem.ta = true;
      if (random.one_in(4)) problem.tb = true;
      cases.push_back(problem);
    }
    return cases;
  }

  void make_factors_whole(Case& problem) const override {
    for (double* factor : {&problem.alpha, &problem.beta}) {
      if (*factor != std::trunc(*factor)) *factor = 2.0;
    }
  }

  bool is_valid(const Contract&, const Case& problem, std::int64_t max_size) const override {
    return std::max({problem.m, problem.n, problem.k}) <= max_size &&
           std::min({problem.m, problem.n, problem.k}) >= 0 && problem.m > 0 && problem.n > 0;
  }

  bool can_be_run(const Contract&, const Case& problem) const override {
    return !campaign::launches_nothing(problem);
  }

  bool is_cheap(const Contract&, const Case& problem) const override {
    const double work = static_cast<double>(problem.m) * static_cast<double>(problem.n) *
                        static_cast<double>(std::max<std::int64_t>(problem.k, 1));
    return work <= kMostCommonWork;
  }

  double least_sensitivity() const override { return 0.5; }
};

}  // namespace

const SourceModel& SourceModel::of_matrices() {
  static const MatrixSourceModel kModel;
  return kModel;
}

}  // namespace warpcheck::workflows::explore
