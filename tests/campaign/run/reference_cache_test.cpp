#include "campaign/run/reference_cache.hpp"

#include <gtest/gtest.h>

#include "campaign/case/normalized.hpp"
#include "campaign/generate/data/tensor_data.hpp"
#include "contract/compile/variant.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::run {
namespace {

class ReferencesOfRowSums : public ::testing::Test {
 protected:
  [[nodiscard]] reference::TensorProblem problem(std::uint64_t seed) const {
    Case one = parse_case("sums operation=row_sums depth=2 rows=3 columns=5 scale=2");
    one.seed = seed;
    one = normalized(contract_, one);
    return generate::tensor_problem(contract_, one,
                                    generate::tensor_values(*contract_.tensors, one));
  }

  static std::shared_ptr<const TensorReference> evaluated(const reference::TensorProblem& problem) {
    return std::make_shared<TensorReference>(TensorReference{reference::evaluate(problem), 0.5});
  }

  contract::Contract contract_ = testing::operation_contract(testing::kRowSums);
};

TEST_F(ReferencesOfRowSums, AreFoundForTheSameProblemOnly) {
  ReferenceCache cache(1 << 20);
  EXPECT_EQ(cache.find(problem(1)), nullptr);
  const auto kept = evaluated(problem(1));
  cache.keep(problem(1), kept);
  EXPECT_EQ(cache.find(problem(1)), kept);
  EXPECT_EQ(cache.find(problem(2)), nullptr) << "other elements";
  reference::TensorProblem scaled = problem(1);
  scaled.scalars["scale"] = 3.0;
  EXPECT_EQ(cache.find(scaled), nullptr);
  reference::TensorProblem reshaped = problem(1);
  reshaped.extents["depth"] = 3;
  EXPECT_EQ(cache.find(reshaped), nullptr);
}

TEST_F(ReferencesOfRowSums, BeyondTheLimitAreNotKept) {
  ReferenceCache cache(100);  // 6 values and 6 tolerances: 96 bytes
  cache.keep(problem(1), evaluated(problem(1)));
  cache.keep(problem(2), evaluated(problem(2)));
  EXPECT_NE(cache.find(problem(1)), nullptr);
  EXPECT_EQ(cache.find(problem(2)), nullptr);
}

}  // namespace
}  // namespace warpcheck::campaign::run
