#include "campaign/generate/launch_cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/product.hpp"
#include "campaign/generate/cases.hpp"
#include "tests/campaign/gemm_device.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::generate {
namespace {

using ::testing::HasSubstr;

/// A contract of two launches with these conditions; an empty condition is none.
contract::Contract two_launches(const std::string& first, const std::string& second,
                                const std::string& more = "") {
  const auto launch = [](const std::string& when) {
    return std::string("[[variant.launch]]\nkernel = 'f'\narguments = ['a', 'b', 'c', 'm', 'n', ") +
           "'k']\nblock = [16]\ngrid = ['ceil_div(n, 16)', 'm']\n" +
           (when.empty() ? "" : "when = '" + when + "'\n");
  };
  return testing::variant_of("[[variant]]\nname = 'fake'\noperation = 'gemm'\n" + more +
                             launch(first) + launch(second))
      .contract;
}

std::string error_of(const contract::Contract& contract) {
  try {
    require_launches(contract);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(UnlaunchedCases, AreAnErrorWithACase) {
  const std::string error = error_of(two_launches("m < 64", "m > 64"));
  EXPECT_THAT(error, HasSubstr("kernel.toml:9:9: error: fake: no launch that writes the output "
                               "applies to the case 'fake m=64 n=1 k=1"));
  EXPECT_THAT(error_of(two_launches("m % 16 == 0 and n % 16 == 0", "m % 16 != 0")),
              HasSubstr("applies to the case 'fake m=16 n=1 "));
}

TEST(UnlaunchedCases, AreNoneIfTheConditionsAreComplete) {
  EXPECT_EQ(error_of(two_launches("m < 64", "m >= 64")), "no error");
  EXPECT_EQ(error_of(two_launches("m % 16 == 0 and n % 16 == 0", "m % 16 != 0 or n % 16 != 0")),
            "no error");
  EXPECT_EQ(error_of(two_launches("m < 64", "")), "no error");
}

TEST(UnlaunchedCases, CanBeExcludedByRequires) {
  EXPECT_EQ(error_of(two_launches("m < 64", "m > 64", "requires = ['m != 64']\n")), "no error");
  EXPECT_EQ(error_of(two_launches("m > 0", "m > 8")), "no error");  // m = 0 launches nothing
}

/// Row sums of two launches with these conditions.
contract::Contract two_launches_of_sums(const std::string& first, const std::string& second) {
  std::string text = testing::kRowSums;
  text.erase(text.find("kernel    ="));
  for (const std::string& when : {first, second}) {
    text +=
        "[[variant.launch]]\nkernel = 'f'\narguments = ['x', 'stride_x', 'y', 'scale', 'rows', "
        "'columns']\nblock = [32]\ngrid = ['rows', 'depth']\nwhen = '" +
        when + "'\n";
  }
  return testing::operation_contract(text);
}

TEST(UnlaunchedCases, OfOperationsAreAnErrorWithACase) {
  EXPECT_THAT(error_of(two_launches_of_sums("columns < 64", "columns > 64")),
              HasSubstr("test.toml:18:9: error: sums: no launch that writes the output applies to "
                        "the case 'sums operation=row_sums depth=1 rows=1 columns=64 "));
  EXPECT_THAT(error_of(two_launches_of_sums("aligned(x, 16)", "stride_x % 4 == 0")),
              HasSubstr("off_x="));
  EXPECT_EQ(error_of(two_launches_of_sums("columns <= 64", "columns > 64")), "no error");
  EXPECT_EQ(error_of(two_launches_of_sums("rows > 0", "rows > 8")), "no error");
}

TEST(UnlaunchedCases, EndTheGenerator) {
  const contract::Contract contract = two_launches("m < 64", "m > 64");
  EXPECT_THROW(CaseGenerator(contract, {.seed = 1}), InputError);
  const contract::Contract sums = two_launches_of_sums("columns < 64", "columns > 64");
  EXPECT_THROW(CaseGenerator(sums, {.seed = 1}), InputError);
}

/// The numbers of generated cases to which each of the two launches applies.
std::pair<int, int> applied(const contract::Contract& contract, int cases) {
  const CaseGenerator generator(contract, {.seed = 1});
  std::pair<int, int> count;
  for (std::int64_t i = 0; i < cases; ++i) {
    const Case problem = generator.draw(i).problem;
    if (launches_nothing(problem)) continue;
    count.first += applies(contract, contract.launches[0], problem) ? 1 : 0;
    count.second += applies(contract, contract.launches[1], problem) ? 1 : 0;
    EXPECT_EQ(violated(contract, problem), std::nullopt);
  }
  return count;
}

TEST(LaunchCases, EachLaunchAppliesToSomeCases) {
  for (const char* condition :
       {"m % 48 == 0 and n > 100", "m == 3", "k > 2000", "m >= 4096", "n % 100 == 7"}) {
    const std::string first = condition;
    const auto [met, others] = applied(two_launches(first, "not (" + first + ")"), 60);
    EXPECT_GE(met, 8) << first;
    EXPECT_GE(others, 8) << first;
  }
}

TEST(LaunchCases, LaunchThatNeverAppliesIsLeftOut) {
  EXPECT_EQ(applied(two_launches("m < 0", ""), 20).first, 0);
}

}  // namespace
}  // namespace warpcheck::campaign::generate
