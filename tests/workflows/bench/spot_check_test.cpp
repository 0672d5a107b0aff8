#include "workflows/bench/spot_check.hpp"

#include <gmock/gmock.h>

#include "campaign/run/element.hpp"
#include "contract/contract.hpp"

namespace warpcheck::workflows::bench {
namespace {

using campaign::run::Problem;
using testing::HasSubstr;

contract::Variant gemm_of_f32() {
  contract::Variant variant;
  variant.contract = contract::parse_contracts(R"([[variant]]
name = "plain"
kernel = "f"
operation = "gemm"
types = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
arguments = ["a", "b", "c", "m", "n", "k", "lda", "ldb", "ldc"]
block = [1]
grid = [1]
)",
                                               {})
                         .front();
  variant.compiled = std::make_shared<contract::Compiled>();
  return variant;
}

class SpotCheck : public testing::Test {
 protected:
  SpotCheck() : variant_(gemm_of_f32()) {
    campaign::Case line;
    line.variant = "plain";
    line.set_value("m", 61);
    line.set_value("n", 47);
    line.set_value("k", 5);
    problem_ = campaign::run::make_problem(variant_, line,
                                           campaign::run::operands(variant_.contract, line),
                                           campaign::run::usual_poison(line));
    bytes_ = problem_.job.buffers[problem_.output].bytes;
    const reference::Matrix& a = problem_.operands.a;
    const reference::Matrix& b = problem_.operands.b;
    for (std::int64_t i = 0; i < line.whole("m"); ++i) {
      for (std::int64_t j = 0; j < line.whole("n"); ++j) {
        double sum = 0.0;
        for (std::int64_t k = 0; k < line.whole("k"); ++k) sum += a(i, k) * b(k, j);
        set(i, j, sum);
      }
    }
  }

  void set(std::int64_t row, std::int64_t column, double value) {
    const auto& place = problem_.layouts.output();
    campaign::run::encode(value, place.type, &bytes_[place.byte_of(row, column)]);
  }

  contract::Variant variant_;
  Problem problem_;
  std::vector<std::byte> bytes_;
};

TEST_F(SpotCheck, AcceptsTheProduct) { EXPECT_EQ(spot_check(problem_, bytes_), ""); }

TEST_F(SpotCheck, FindsAWrongElementInTheLastRowAndColumn) {
  set(60, 46, 1e6);
  EXPECT_THAT(spot_check(problem_, bytes_), HasSubstr("C[60, 46] is 1000000, expected"));
}

TEST_F(SpotCheck, FindsAWrongRow) {
  for (std::int64_t j = 0; j < 47; ++j) set(0, j, -77.5);
  EXPECT_THAT(spot_check(problem_, bytes_), HasSubstr("C[0, 0] is -77.5"));
}

}  // namespace
}  // namespace warpcheck::workflows::bench
