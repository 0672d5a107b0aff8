// The custom mutator of the fuzz target `case`.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "campaign/case/case.hpp"
#include "campaign/case/domain.hpp"
#include "fuzz/checked_variants.hpp"
#include "fuzz/target.hpp"
#include "properties/law.hpp"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned seed);

namespace warpcheck::fuzz {
namespace {

using campaign::Case;

/// The input that the mutator makes of another one.
std::string mutated(const std::string& input, unsigned seed) {
  std::array<std::uint8_t, 400> data{};
  std::ranges::copy(input, data.begin());
  const std::size_t size = LLVMFuzzerCustomMutator(data.data(), input.size(), data.size(), seed);
  return std::string(text_of(data.data(), size));
}

const contract::Variant& variant_of(const Case& problem) {
  return *std::ranges::find_if(checked_variants(), [&](const contract::Variant& one) {
    return one.contract.name == problem.variant;
  });
}

TEST(CaseMutator, MakesCasesInTheDomainsOfManyVariants) {
  std::set<std::string> variants;
  std::set<std::string> properties;
  std::string input = "no case";
  for (unsigned seed = 0; seed < 300; ++seed) {
    input = mutated(input, seed);
    const Case problem = campaign::parse_case(input);
    const contract::Contract& contract = variant_of(problem).contract;
    EXPECT_EQ(campaign::violated(contract, problem), std::nullopt) << input;
    EXPECT_TRUE(properties::law(problem.property).applies(contract)) << input;
    variants.insert(problem.variant);
    properties.insert(problem.property);
  }
  EXPECT_GT(variants.size(), 20U);
  EXPECT_GT(properties.size(), 10U);
}

TEST(CaseMutator, ChangesACaseToASimilarOneInMostSteps) {
  const std::string input = "sgemm_naive m=17 n=19 k=5 alpha=1 beta=0 data=lattice seed=0";
  int similar = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Case problem = campaign::parse_case(mutated(input, seed));
    similar +=
        problem.variant == "sgemm_naive" && (problem.whole("m") == 17 || problem.whole("n") == 19)
            ? 1
            : 0;
  }
  EXPECT_GT(similar, 50);
  EXPECT_LT(similar, 100);
}

}  // namespace
}  // namespace warpcheck::fuzz
