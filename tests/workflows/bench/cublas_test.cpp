// The layouts that cuBLAS receives, with a cublasLt of the test's own.
#include "workflows/bench/cublas.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "base/diagnostic.hpp"
#include "campaign/run/problem.hpp"
#include "contract/contract.hpp"
#include "workflows/bench/spot_check.hpp"

namespace warpcheck::workflows::bench {
namespace {

using campaign::run::Problem;

class CublasLayouts : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { setenv("WARPCHECK_LIBCUBLASLT", FAKE_CUBLAS, 1); }
  void TearDown() override { unsetenv("WARPCHECK_LIBCUBLASLT"); }
};

TEST_P(CublasLayouts, GiveTheProductOfTheContract) {
  contract::Variant variant;
  variant.contract = contract::parse_contracts(fmt::format(R"([[variant]]
name = "any"
kernel = "f"
operation = "gemm"
layout = {}
types = {{ a = "f32", b = "f32", c = "f32", accumulate = "f32" }}
arguments = ["a", "b", "c", "m", "n", "k", "lda", "ldb", "ldc"]
block = [1]
grid = [1]
)",
                                                           GetParam()),
                                               {})
                         .front();
  variant.compiled = std::make_shared<contract::Compiled>();
  campaign::Case line = campaign::parse_case("any m=5 n=7 k=3 lda=11 ldb=12 ldc=13");
  Problem problem =
      campaign::run::make_problem(variant, line, campaign::run::operands(variant.contract, line),
                                  campaign::run::usual_poison(line));
  std::string reason;
  Cublas library;
  const auto product = library.product(variant.contract, problem.line, problem.layouts, 0, reason);
  ASSERT_NE(product, nullptr) << reason;
  auto& buffers = problem.job.buffers;
  const auto address = [&](std::size_t i) {
    return reinterpret_cast<std::uintptr_t>(buffers[i].bytes.data());
  };
  EXPECT_NE(spot_check(problem, buffers[problem.output].bytes), "");
  product->launch(address(0), address(1), address(problem.output));
  EXPECT_EQ(spot_check(problem, buffers[problem.output].bytes), "");
}

INSTANTIATE_TEST_SUITE_P(Layouts, CublasLayouts,
                         testing::Values(R"("row")", R"("col")",
                                         R"({ a = "row", b = "col", c = "row" })",
                                         R"({ a = "col", b = "row", c = "row" })",
                                         R"({ a = "row", b = "col", c = "col" })",
                                         R"({ a = "col", b = "row", c = "col" })"));

TEST(Cublas, IsReportedWhenAbsent) {
  setenv("WARPCHECK_LIBCUBLASLT", "/no/such/library", 1);
  EXPECT_THROW(Cublas(), EnvironmentError);
  unsetenv("WARPCHECK_LIBCUBLASLT");
}

}  // namespace
}  // namespace warpcheck::workflows::bench
