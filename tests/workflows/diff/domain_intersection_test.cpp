#include "workflows/diff/domain_intersection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace warpcheck::workflows::diff {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Returns a contract with additional arguments and additional lines.
Contract contract(const std::string& name, const std::string& arguments, const std::string& more) {
  return contract::parse_contracts(
             "[[variant]]\nname = \"" + name +
                 "\"\nkernel = \"f\"\noperation = \"gemm\"\narguments = [\"m\", \"n\", \"k\", "
                 "\"a\", \"b\", \"c\"" +
                 arguments + "]\nblock = [1]\ngrid = [1]\n" + more,
             {name + ".toml", 1, 1})
      .at(0);
}

/// Returns a contract with these types of A, B and C.
Contract typed(const std::string& name, const std::string& abc,
               const std::string& accumulate = "f32", const std::string& more = "") {
  return contract(name, "",
                  "types = { a = \"" + abc + "\", b = \"" + abc + "\", c = \"" + abc +
                      "\", accumulate = \"" + accumulate + "\" }\n" + more);
}

Diagnostic refusal(const Contract& one, const Contract& other) {
  try {
    static_cast<void>(DomainIntersection(one, other));
  } catch (const InputError& error) {
    return error.diagnostics().at(0);
  }
  return {};
}

TEST(DomainIntersection, CombinesTheRequirementsOfBoth) {
  const Contract even = contract("even", "", "requires = [\"m % 2 == 0\"]\n");
  const Contract threes = contract("threes", "", "requires = [\"m % 3 == 0\"]\n");
  const DomainIntersection joint(even, threes);
  EXPECT_EQ(joint.contract().requires_.size(), 2U);
  EXPECT_TRUE(joint.contains(campaign::parse_case("even m=6")));
  EXPECT_FALSE(joint.contains(campaign::parse_case("even m=4")));
  EXPECT_FALSE(joint.contains(campaign::parse_case("even m=9")));
  EXPECT_TRUE(joint.same_values());
  EXPECT_THAT(joint.remarks(), IsEmpty());
}

TEST(DomainIntersection, VariesOnlyArgumentsOfBothKernels) {
  const Contract wide = contract("wide", R"(, "lda", "ldb", "alpha", "batch")", "");
  const Contract narrow = contract("narrow", R"(, "lda", "alpha")", "");
  for (const DomainIntersection& joint :
       {DomainIntersection(wide, narrow), DomainIntersection(narrow, wide)}) {
    EXPECT_TRUE(joint.contract().takes(ArgumentWord::lda));
    EXPECT_TRUE(joint.contract().takes(ArgumentWord::alpha));
    EXPECT_FALSE(joint.contract().takes(ArgumentWord::ldb));
    EXPECT_FALSE(joint.contract().takes(ArgumentWord::batch));
    EXPECT_TRUE(joint.contains(campaign::parse_case("wide m=2 n=3 k=4 lda=7 alpha=2")));
    EXPECT_FALSE(joint.contains(campaign::parse_case("wide m=2 n=3 k=4 ldb=7")));
    EXPECT_FALSE(joint.contains(campaign::parse_case("wide m=2 n=3 k=4 batch=2")));
  }
}

TEST(DomainIntersection, DropsALeadingDimensionIfLayoutsDiffer) {
  const Contract rows = contract("rows", R"(, "lda", "ldb")", "layout = \"row\"\n");
  const Contract mixed = contract("mixed", R"(, "lda", "ldb")",
                                  "layout = { a = \"col\", b = \"row\", c = \"row\" }\n");
  const DomainIntersection joint(rows, mixed);
  EXPECT_FALSE(joint.contract().takes(ArgumentWord::lda));
  EXPECT_TRUE(joint.contract().takes(ArgumentWord::ldb));
}

TEST(DomainIntersection, TreatsTheLeadingDimensionOfDAsThatOfC) {
  const Contract in_place = contract("in_place", R"(, "ldc")", "");
  const Contract apart = contract("apart", R"(, "d", "ldd")", "");
  EXPECT_TRUE(DomainIntersection(in_place, apart).contract().takes(ArgumentWord::ldc));
}

// f16 has 11 digits down to 2^-24, bf16 has 8: neither holds the other, and both hold the 4 digits
// of e4m3. A bf16 is a tf32 with fewer digits.
TEST(DomainIntersection, UsesTheWidestFormatThatBothTypesContain) {
  const auto shared = [](const std::string& one, const std::string& other) {
    const Contract first = typed("one", one);
    const Contract second = typed("other", other);
    const DomainIntersection joint(first, second);
    EXPECT_FALSE(joint.same_values());
    return joint.contract().type_a;
  };
  EXPECT_EQ(shared("f32", "f16"), ScalarType::f16);
  EXPECT_EQ(shared("f16", "f32"), ScalarType::f16);
  EXPECT_EQ(shared("bf16", "tf32"), ScalarType::bf16);
  EXPECT_EQ(shared("f16", "bf16"), ScalarType::e4m3);
}

TEST(DomainIntersection, GeneratesElementsOfTheSharedFormat) {
  const Contract wide = typed("wide", "f32");
  const Contract half = typed("half", "f16");
  const campaign::run::Operands generated =
      DomainIntersection(wide, half)
          .operands(campaign::parse_case("wide m=4 n=4 k=4 data=normal seed=5"));
  for (const double value : generated.a.values) {
    int exponent = 0;
    const double significand = std::ldexp(std::frexp(value, &exponent), 11);
    EXPECT_EQ(significand, std::trunc(significand)) << value << " has more than 11 digits";
  }
}

TEST(DomainIntersection, ReportsDifferencesOfTheContracts) {
  const Contract wide = typed("wide", "f32");
  const Contract half = typed("half", "f16", "f16", "deterministic = false\n");
  const DomainIntersection joint(wide, half);
  EXPECT_THAT(joint.remarks(),
              Contains("A is f32 in wide and f16 in half: its elements are values of f16"));
  EXPECT_THAT(joint.remarks(), Contains("of D the values are compared, not the bits"));
  EXPECT_THAT(joint.remarks(),
              Contains("wide accumulates in f32, half in f16: each has a bound of its own"));
  EXPECT_THAT(joint.remarks(),
              Contains("half adds in any order: its bits may differ from one run to the next"));
  EXPECT_EQ(joint.contract().accumulate, ScalarType::f16) << "it counts to 2^11 exactly, not 2^24";
}

TEST(DomainIntersection, RejectsContractsThatCannotBeCompared) {
  const Contract plain = contract("plain", "", "");
  const Contract biased = contract("biased", R"(, "bias")", "");
  const Diagnostic bias = refusal(plain, biased);
  EXPECT_EQ(bias.message,
            "biased cannot be compared with plain: it adds a bias, and plain adds no bias");
  EXPECT_EQ(bias.where.file, "biased.toml");
  EXPECT_THAT(refusal(typed("signs", "s8", "s32"), typed("none", "u8", "s32")).message,
              HasSubstr("A is s8 in one and u8 in the other, which share too few values"));
}

TEST(DomainIntersection, NormalizesACaseForEachContract) {
  const Contract plain = contract("plain", R"(, "lda")", "");
  const campaign::Case normalized =
      normalized_for(plain, campaign::parse_case("other m=2 n=3 k=4 lda=4"));
  EXPECT_EQ(normalized, campaign::parse_case("plain m=2 n=3 k=4"))
      << "a row of A has 4 elements: lda is tight";
}

}  // namespace
}  // namespace warpcheck::workflows::diff
