#include "campaign/case/case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "tests/campaign/arbitrary_case.hpp"

namespace warpcheck::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Diagnostic> errors_of(std::string_view line) {
  try {
    (void)parse_case(line, "cases.txt", 4);
  } catch (const InputError& error) {
    return error.diagnostics();
  }
  return {};
}

TEST(Case, PrintOmitsDefaults) {
  Case problem;
  problem.variant = "sgemm_tiled32";
  problem.set_value("m", 65);
  problem.set_value("n", 33);
  problem.set_value("k", 17);
  problem.set_value("lda", 19);
  problem.set_value("off_c", 3);
  problem.set_value("beta", -0.1);
  problem.seed = 42;
  EXPECT_EQ(to_line(problem),
            "sgemm_tiled32 m=65 n=33 k=17 lda=19 off_c=3 alpha=1 beta=-0.1 data=lattice seed=42");
}

TEST(Case, ParsesEachField) {
  const Case problem = parse_case(
      "sgemm_tiled32 m=65 n=33 k=17 lda=19 ldb=33 ldc=40 off_a=1 off_b=0 off_c=3 alpha=1 beta=0 "
      "data=lattice seed=42");
  EXPECT_EQ(problem.variant, "sgemm_tiled32");
  EXPECT_EQ(problem.whole("ldc"), 40);
  EXPECT_EQ(problem.whole("off_a"), 1);
  EXPECT_EQ(problem.seed, 42U);
  EXPECT_EQ(problem.property, "");
}

TEST(Case, ParsesTransposesAndBatches) {
  const Case problem = parse_case("v m=2 ta=t tb=n batch=3 stride_c=90");
  EXPECT_TRUE(problem.whole("ta"));
  EXPECT_FALSE(problem.whole("tb"));
  EXPECT_EQ(problem.whole("batch"), 3);
  EXPECT_EQ(to_line(problem),
            "v m=2 n=1 k=1 ta=t batch=3 stride_c=90 alpha=1 beta=0 data=lattice seed=0");
  ASSERT_EQ(errors_of("v ta=T").size(), 1U);
  EXPECT_EQ(errors_of("v ta=T")[0].message, "ta: 'T' is no transposition: expected t or n");
  EXPECT_EQ(errors_of("v ta=T")[0].where.column, 6U);
}

TEST(Case, OmittedFieldsHaveDefaults) {
  Case expected;
  expected.variant = "v";
  EXPECT_EQ(parse_case("v"), expected);
}

TEST(Case, StatedDefaultsAndTheOrderOfFieldsDoNotMatter) {
  EXPECT_EQ(parse_case("v ta=n lda=0 batch=1 k=1 m=2"), parse_case("v m=2"));
  EXPECT_FALSE(parse_case("v m=2") == parse_case("v m=3"));
  EXPECT_FALSE(parse_case("v") == parse_case("v beta=1"));
  EXPECT_EQ(parse_case("v operation=sums rows=3 columns=2 off_x=0"),
            parse_case("v operation=sums columns=2 rows=3"));
  EXPECT_FALSE(parse_case("v operation=sums rows=3") == parse_case("v operation=sums columns=3"));
}

TEST(Case, LineMayStateTheDefaultOperation) {
  EXPECT_EQ(parse_case("v operation=gemm m=2"), parse_case("v m=2"));
  EXPECT_EQ(to_line(parse_case("v operation=gemm")), to_line(parse_case("v")));
  ASSERT_EQ(errors_of("v operation=gemm operation=gemm").size(), 1U);
  EXPECT_EQ(errors_of("v operation=gemm operation=gemm")[0].message, "operation is given twice");
}

TEST(Case, FieldBeforeAnotherOperationIsKept) {
  EXPECT_EQ(to_line(parse_case("v m=3 operation=sums")),
            "v operation=sums m=3 data=lattice seed=0");
}

RC_GTEST_PROP(CaseLine, ParseInvertsPrint, (const Case& problem)) {
  RC_ASSERT(parse_case(to_line(problem)) == problem);
}

TEST(Case, ExtremeFactorsRoundTrip) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.1, 1.0 / 3.0, Limits::denorm_min(), Limits::max(), -0.0,
                             Limits::infinity(), -Limits::infinity()}) {
    Case problem;
    problem.variant = "v";
    problem.set_value("alpha", value);
    const Case back = parse_case(to_line(problem));
    EXPECT_EQ(back.number("alpha"), value);
    EXPECT_EQ(std::signbit(back.number("alpha")), std::signbit(value));
  }
  Case problem;
  problem.variant = "v";
  problem.set_value("beta", Limits::quiet_NaN());
  EXPECT_THAT(to_line(problem), HasSubstr("beta=nan"));
  EXPECT_TRUE(std::isnan(parse_case(to_line(problem)).number("beta")));
}

TEST(Case, UnknownFieldIsLocatedWithSuggestion) {
  const auto errors = errors_of("v m=3 betta=2");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].where, (Location{"cases.txt", 4, 7}));
  EXPECT_EQ(errors[0].message, "unknown field 'betta': did you mean 'beta'?");
  EXPECT_EQ(errors[0].excerpt, "v m=3 betta=2");
}

TEST(Case, EachErrorOfTheLineIsReported) {
  const auto errors =
      errors_of("v m=-3 n=x k=4 k=5 alpha=1.5.2 data=latice seed=-1 lda=99999999999999999999 z");
  std::vector<std::string> messages;
  std::vector<unsigned> columns;
  for (const Diagnostic& error : errors) {
    messages.push_back(error.message);
    columns.push_back(error.where.column);
  }
  EXPECT_THAT(
      messages,
      ElementsAre("m: -3 is negative", "n: 'x' is not a whole number", "k is given twice",
                  "alpha: '1.5.2' is not a number", HasSubstr("data: 'latice' is no data recipe"),
                  "seed: -1 is negative", "lda: 99999999999999999999 is out of range",
                  "found 'z', expected field=value"));
  EXPECT_THAT(columns, ElementsAre(5, 10, 16, 26, 37, 49, 56, 77));
}

TEST(Case, MissingVariantIsAnError) {
  const auto errors = errors_of("m=3");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_THAT(errors[0].message, HasSubstr("no variant"));
}

TEST(Cases, FileMayContainComments) {
  const auto cases = parse_cases("# corpus\nv m=2\n\n  w m=3  # odd\r\n", "corpus");
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0].whole("m"), 2);
  EXPECT_EQ(cases[1].variant, "w");
  EXPECT_EQ(cases[1].whole("m"), 3);
}

TEST(Cases, ErrorsOfAllLinesAreReported) {
  try {
    (void)parse_cases("v q=2\nv m=1\nv m=x\n", "corpus");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2U);
    EXPECT_EQ(error.diagnostics()[0].where.line, 1U);
    EXPECT_EQ(error.diagnostics()[1].where.line, 3U);
  }
}

}  // namespace
}  // namespace warpcheck::campaign
