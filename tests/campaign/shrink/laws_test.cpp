// Laws of shrinking.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/hash.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "campaign/shrink/cases_of.hpp"
#include "campaign/shrink/measure.hpp"
#include "campaign/shrink/shrink.hpp"
#include "tests/campaign/arbitrary_case.hpp"
#include "tests/campaign/gemm_device.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::shrink {
namespace {

RC_GTEST_PROP(Shrinking, CandidatesStayInTheDomainAndBecomeSimpler, (std::uint64_t seed)) {
  const contract::Variant variant = testing::variant_of(*testing::contract_text());
  const contract::Contract& contract = variant.contract;
  const auto failing =
      generate::Solver(contract).project(normalized(contract, *testing::small_case()));
  RC_ASSERT(failing.has_value());
  const CaseSchema schema = case_schema(contract);
  Case best = *failing;
  const auto fails = [&](const Case& candidate) {
    RC_ASSERT(violated(contract, candidate) == std::nullopt);
    RC_ASSERT(measure(contract, schema, candidate) < measure(contract, schema, best));
    (void)lay_out(contract, candidate, std::size_t{1} << 30);  // does not throw
    const bool failed = mixed(seed, to_line(candidate)) % 2 == 0;
    if (failed) best = candidate;
    return failed;
  };
  const Case smallest =
      shrink(contract, *failing, fails, {.attempts = 25, .tries_other_data = true});
  RC_ASSERT(measure(contract, schema, smallest) == measure(contract, schema, best));
}

/// A product and an operation of the language.
struct Contracts {
  contract::Variant product = testing::blas_variant("requires = [\"m <= n\"]\n");
  contract::Contract operation =
      testing::operation_contract(testing::kRowSums, "requires = [\"columns % 8 == 0\"]\n");
  rc::Gen<Case> products = cases_of(product.contract, {.seed = 1});
  rc::Gen<Case> operations = cases_of(operation, {.seed = 1});
};

RC_GTEST_PROP(CasesOf, AreNormalizedAndInTheDomainAsSimplerOnesAre, (bool is_product)) {
  static const Contracts kContracts;
  const contract::Contract& contract =
      is_product ? kContracts.product.contract : kContracts.operation;
  const Case problem = *(is_product ? kContracts.products : kContracts.operations);
  std::vector<Case> all = simpler_cases(contract, problem);
  all.push_back(problem);
  for (const Case& one : all) {
    RC_ASSERT(violated(contract, one) == std::nullopt);
    RC_ASSERT(normalized(contract, one) == one);
    RC_ASSERT(can_be_laid_out(contract, one, std::size_t{1} << 30));
    RC_ASSERT(parse_case(to_line(one)) == one);
  }
}

TEST(CasesOf, TheCounterexampleIsTheSmallestCaseOfTheDomain) {
  static const Contracts kContracts;
  Case last;  // the last case for which the property is false
  const auto result = rc::detail::checkTestable(
      [&] {
        const Case problem = *kContracts.operations;
        if (problem.value("columns") < 37.0) return;
        last = problem;
        RC_FAIL("expected");
      },
      rc::detail::TestMetadata{}, rc::detail::TestParams{});
  EXPECT_TRUE(result.is<rc::detail::FailureResult>());
  EXPECT_EQ(to_line(last),
            "sums operation=row_sums depth=1 rows=1 columns=40 scale=1 data=lattice seed=0");
}

}  // namespace
}  // namespace warpcheck::campaign::shrink
