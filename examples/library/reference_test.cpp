// A kernel whose reference is an expression of Eigen.
#include <gtest/gtest.h>

#include <string>
#include <vector>
#include <warpcheck/eigen.hpp>
#include <warpcheck/warpcheck.hpp>

using warpcheck::Real;

TEST(Gemv, IsTheProductOfEigen) {
  warpcheck::Contract contract(KERNELS "/gemv.cu");
  const auto product = [](const Real* a, const Real* x, Real* y, long rows, long columns) {
    warpcheck::vector(y, rows) =
        warpcheck::matrix(a, rows, columns) * warpcheck::vector(x, columns);
  };
  contract.set_reference("gemv", product);
  const warpcheck::Result result = contract.check({30});
  EXPECT_EQ(result.verdicts, (std::vector<std::string>{"pass", "wrong-result"})) << result.text;
}
