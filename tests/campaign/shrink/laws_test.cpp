// Laws of shrinking.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/hash.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "campaign/shrink/measure.hpp"
#include "campaign/shrink/shrink.hpp"
#include "tests/campaign/arbitrary_case.hpp"
#include "tests/campaign/gemm_device.hpp"

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

}  // namespace
}  // namespace warpcheck::campaign::shrink
