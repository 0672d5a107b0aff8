// Generators of cases for RapidCheck, with the shared library.
#include "warpcheck/rapidcheck.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "tests/library/own_folder.hpp"

namespace warpcheck {
namespace {

using testing::HasSubstr;

const std::string kSources = std::string(WARPCHECK_SOURCE_DIR) + "/";

/// The example kernel for multiples of 4 from 8.
std::string multiples_of_four() {
  std::ostringstream text;
  text << std::ifstream(kSources + "examples/library/scale.cu").rdbuf();
  std::string source = text.str();
  source.insert(source.find("arguments ="), "requires = [\"count % 4 == 0\", \"count >= 8\"]\n");
  const std::string file = own_folder() + "multiples_of_four.cu";
  std::ofstream(file) << source;
  return file;
}

bool in_domain(const Case& problem) {
  const auto count = static_cast<std::int64_t>(problem.value("count").value());
  return count % 4 == 0 && count >= 8;
}

TEST(LibraryCases, CaseIsAFunctionOfSeedAndIndex) {
  Contract contract(multiples_of_four());
  Contract other(multiples_of_four());
  std::set<std::string> lines;
  for (std::int64_t i = 0; i < 50; ++i) lines.insert(contract.generate_case("scale", 7, i).line);
  EXPECT_GT(lines.size(), 40U);
  EXPECT_EQ(contract.generate_case("scale", 7, 3), other.generate_case("scale", 7, 3));
  EXPECT_FALSE(contract.generate_case("scale", 7, 3) == contract.generate_case("scale", 8, 3));
}

TEST(LibraryCases, ValueOfAFieldIsItsNumber) {
  const Case problem{"scale operation=scale count=12 off_x=1 factor=-0.5 data=normal seed=3"};
  EXPECT_EQ(problem.variant(), "scale");
  EXPECT_EQ(problem.value("count"), 12.0);
  EXPECT_EQ(problem.value("factor"), -0.5);
  EXPECT_EQ(problem.value("seed"), 3.0);
  EXPECT_EQ(problem.value("x"), std::nullopt);
  EXPECT_EQ(problem.value("data"), std::nullopt);
}

TEST(LibraryCases, WrongRequestsAreErrors) {
  Contract contract(multiples_of_four());
  EXPECT_THROW((void)contract.generate_case("other", 0, 0), ContractError);
  EXPECT_THROW((void)contract.generate_case("scale", 0, -1), ContractError);
  EXPECT_THROW((void)contract.simpler_cases({"other operation=scale count=8"}), ContractError);
  EXPECT_THROW((void)contract.simpler_cases({"scale operation=scale count=x"}), ContractError);
  try {
    (void)contract.simpler_cases({"scale operation=scale count=8 off_z=1"});
    FAIL() << "z is no tensor";
  } catch (const ContractError& error) {
    EXPECT_THAT(error.what(), HasSubstr("off_z"));
  }
}

TEST(LibraryCases, CasesAndSimplerCasesAreInTheDomain) {
  Contract contract(multiples_of_four());
  std::int64_t simpler = 0;
  EXPECT_TRUE(rc::check([&] {
    const Case problem = *cases_of(contract, "scale");
    RC_ASSERT(in_domain(problem));
    for (const Case& one : contract.simpler_cases(problem)) {
      ++simpler;
      RC_ASSERT(in_domain(one));
      RC_ASSERT(!(one == problem));
    }
  }));
  EXPECT_GT(simpler, 100);
}

TEST(LibraryCases, CaseWithoutOutputPassesUnlaunched) {
  Contract operation(kSources + "examples/library/scale_no_guard.cu");
  const Result empty = operation.run_case("scale_no_guard operation=scale count=0");
  EXPECT_TRUE(empty.passed());
  EXPECT_EQ(empty.verdicts.at(0), "not launched");
  EXPECT_THAT(empty.text, HasSubstr("count is 0"));
  Contract product(kSources + "kernels/gemm/1_one_thread_per_element/01_naive.cu");
  EXPECT_EQ(product.run_case("sgemm_naive m=5 n=0 k=3").verdicts.at(0), "not launched");
}

TEST(LibraryCases, WithoutAVariantAreThoseOfEachVariant) {
  Contract contract(kSources + "examples/library/gemv.cu");
  std::set<std::string> variants;
  EXPECT_TRUE(rc::check([&] { variants.insert((*cases_of(contract)).variant()); }));
  EXPECT_THAT(variants, testing::UnorderedElementsAreArray(contract.variants()));
}

/// The last case for which the property was false is the counterexample.
template <typename Property>
Case counterexample(Contract& contract, const std::string& variant, const Property& holds) {
  Case last;
  EXPECT_FALSE(rc::check([&] {
    const Case problem = *cases_of(contract, variant);
    if (holds(problem)) return;
    last = problem;
    RC_FAIL("expected");
  }));
  return last;
}

TEST(LibraryCases, CounterexampleIsTheSmallestOneOfTheDomain) {
  Contract contract(multiples_of_four());
  const Case least = counterexample(
      contract, "scale", [](const Case& problem) { return problem.value("count").value() < 37; });
  EXPECT_EQ(least.line, "scale operation=scale count=40 factor=1 data=lattice seed=0");
}

TEST(LibraryCases, WrongKernelHasASmallestCase) {
  Contract contract(kSources + "examples/library/scale_no_guard.cu");
  const Case least = counterexample(contract, "scale_no_guard", [&](const Case& problem) {
    const Result result = contract.run_case(problem.line);
    return result.passed() || result.mistrusted();
  });
  EXPECT_EQ(least.value("count"), 1.0);
}

/// The property as a user writes it. Returns what RapidCheck prints.
std::string printed_by(Contract& contract, const std::string& variant) {
  testing::internal::CaptureStderr();
  (void)rc::check([&] {
    const Result result = contract.run_case((*cases_of(contract, variant)).line);
    RC_PRE(!result.mistrusted());
    RC_ASSERT(result.passed());
  });
  return testing::internal::GetCapturedStderr();
}

TEST(LibraryCases, AssertionPrintsTheFinding) {
  Contract wrong(kSources + "examples/library/scale_no_guard.cu");
  EXPECT_THAT(
      printed_by(wrong, "scale_no_guard"),
      testing::AllOf(HasSubstr("RC_ASSERT(result.passed())"), HasSubstr("error[out-of-bounds]"),
                     HasSubstr("scale_no_guard.cu:"), HasSubstr("replay")));
  Contract right(kSources + "examples/library/scale.cu");
  EXPECT_THAT(printed_by(right, "scale"), testing::Not(HasSubstr("error[")));
}

TEST(LibraryCases, CaseThatExposesNothingIsMistrusted) {
  Contract contract(kSources + "examples/library/scale.cu");
  const std::string line = "scale operation=scale count=1 ";
  const Result useless = contract.run_case(line + "factor=0 data=zeros seed=1");
  EXPECT_TRUE(useless.mistrusted());
  EXPECT_FALSE(useless.passed());
  const Result useful = contract.run_case(line + "factor=2 data=normal seed=36019");
  EXPECT_FALSE(useful.mistrusted());
  EXPECT_TRUE(useful.passed());
}

TEST(LibraryCases, MatrixProductsShrinkToo) {
  Contract contract(kSources + "kernels/gemm/1_one_thread_per_element/01_naive.cu");
  const std::string variant = contract.variants().at(0);
  const Case least = counterexample(contract, variant, [](const Case& problem) {
    return problem.value("m").value() < 5 || problem.value("k").value() < 3;
  });
  EXPECT_EQ(least.value("m"), 5.0);
  EXPECT_EQ(least.value("n"), 1.0);
  EXPECT_EQ(least.value("k"), 3.0);
}

}  // namespace
}  // namespace warpcheck
