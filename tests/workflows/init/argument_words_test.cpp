#include "workflows/init/draft/argument_words.hpp"

#include <gmock/gmock.h>

#include <set>

namespace warpcheck::workflows::init {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<NamedParameter> parameters(
    const std::vector<std::pair<std::string, std::string>>& list) {
  std::vector<NamedParameter> result;
  for (const auto& [type, name] : list) result.push_back({name, parameter_type(type)});
  return result;
}

ArgumentGuess first(const std::vector<std::pair<std::string, std::string>>& list) {
  return guess_arguments(parameters(list)).front();
}

constexpr const char* kIn = "const float*";
constexpr const char* kOut = "float*";

TEST(ArgumentWords, FollowCommonNames) {
  EXPECT_THAT(first({{"int", "M"},
                     {"int", "N"},
                     {"int", "K"},
                     {"float", "alpha"},
                     {kIn, "A"},
                     {"int", "lda"},
                     {kIn, "B"},
                     {"int", "ldb"},
                     {"float", "beta"},
                     {kOut, "C"},
                     {"int", "ldc"}})
                  .words,
              ElementsAre("m", "n", "k", "alpha", "a", "lda", "b", "ldb", "beta", "c", "ldc"));
  EXPECT_THAT(first({{kOut, "d_A"},
                     {kOut, "d_B"},
                     {kOut, "d_C"},
                     {"int", "numARows"},
                     {"int", "numAColumns"},
                     {"int", "numBRows"},
                     {"int", "numBColumns"},
                     {"int", "numCRows"},
                     {"int", "numCColumns"}})
                  .words,
              ElementsAre("a", "b", "c", "m", "k", "k", "n", "m", "n"));
  EXPECT_THAT(first({{kOut, "C"}, {kOut, "A"}, {kOut, "B"}, {"int", "wA"}, {"int", "wB"}}).words,
              ElementsAre("c", "a", "b", "k", "n"));
}

TEST(ArgumentWords, OfUnknownBuffersFollowTheirOrderAndConst) {
  EXPECT_THAT(first({{kOut, "q"}, {kIn, "r"}, {kIn, "s"}, {"int", "m"}}).words,
              testing::Contains("c"));
  EXPECT_EQ(first({{kOut, "q"}, {kIn, "r"}, {kIn, "s"}, {"int", "m"}}).words[0], "c");
  EXPECT_THAT(first({{kOut, "M"}, {kOut, "N"}, {kOut, "P"}, {"int", "Width"}}).words,
              ElementsAre("a", "b", "c", "n"));
}

TEST(ArgumentWords, OfAConstantBufferAreNotTheResult) {
  EXPECT_THAT(first({{kIn, "x"},
                     {kIn, "y"},
                     {kOut, "out"},
                     {"int", "rows"},
                     {"int", "columns"},
                     {"int", "inner"}})
                  .words,
              ElementsAre("a", "b", "c", "m", "n", "k"));
  EXPECT_THAT(first({{kIn, "A"}, {kIn, "B"}, {kIn, "C"}, {kOut, "D"}, {"int", "n"}}).words,
              ElementsAre("a", "b", "c", "d", "n"));
}

TEST(ArgumentWords, OfOneExtentRequireSquareMatrices) {
  const ArgumentGuess guess = first({{kIn, "a"}, {kIn, "b"}, {kOut, "c"}, {"int", "width"}});
  EXPECT_THAT(guess.words, ElementsAre("a", "b", "c", "n"));
  EXPECT_THAT(guess.requires_, ElementsAre("m == n", "k == n"));
}

TEST(ArgumentWords, OfUnknownParametersAreReported) {
  const ArgumentGuess guess = first({{kIn, "a"},
                                     {kIn, "b"},
                                     {kOut, "c"},
                                     {"int", "m"},
                                     {"int", "n"},
                                     {"int", "k"},
                                     {"int", "mode"}});
  EXPECT_THAT(guess.unknown, ElementsAre("mode"));
  EXPECT_EQ(guess.words.back(), "1");
}

TEST(ArgumentWords, HaveEveryOrderOfTheExtentsAsAlternative) {
  const auto guesses = guess_arguments(
      parameters({{kIn, "a"}, {kIn, "b"}, {kOut, "c"}, {"int", "x"}, {"int", "y"}, {"int", "z"}}));
  std::set<std::vector<std::string>> orders;
  for (const ArgumentGuess& guess : guesses)
    orders.insert({guess.words[3], guess.words[4], guess.words[5]});
  EXPECT_EQ(orders.size(), 6U);
}

TEST(ArgumentWords, WithABatchKeepStrides) {
  EXPECT_EQ(first({{kIn, "a"},
                   {kIn, "b"},
                   {kOut, "c"},
                   {"int", "m"},
                   {"int", "n"},
                   {"int", "k"},
                   {"int", "batch_count"},
                   {"long", "strideA"}})
                .words.back(),
            "stride_a");
  EXPECT_EQ(first({{kIn, "a"},
                   {kIn, "b"},
                   {kOut, "c"},
                   {"int", "m"},
                   {"int", "n"},
                   {"int", "k"},
                   {"int", "strideA"}})
                .words.back(),
            "lda");
}

TEST(ParameterTypes, AreReadInBothSpellings) {
  EXPECT_EQ(parameter_type("const half* __restrict__").element, ScalarType::f16);
  EXPECT_EQ(parameter_type("__nv_bfloat16 const*").element, ScalarType::bf16);
  EXPECT_EQ(parameter_type("signed char const*").element, ScalarType::s8);
  EXPECT_EQ(parameter_type("unsigned char*").element, ScalarType::u8);
  EXPECT_EQ(parameter_type("mma::E4m3::Element const*").element, ScalarType::e4m3);
  EXPECT_EQ(parameter_type("unsigned long long").kind, ParameterType::Kind::integer);
  EXPECT_EQ(parameter_type("Params").kind, ParameterType::Kind::other);
  EXPECT_EQ(parameter_type("float**").kind, ParameterType::Kind::other);
  EXPECT_TRUE(parameter_type("float const*").constant);
}

TEST(ParameterTypes, AreSplitInDemangledNames) {
  EXPECT_THAT(parameters_of("void f<int, 8>(float const*, std::pair<int, int>, int)"),
              ElementsAre("float const*", "std::pair<int, int>", "int"));
  EXPECT_THAT(parameters_of("plain"), IsEmpty());
  EXPECT_THAT(parameters_of("f()"), IsEmpty());
}

}  // namespace
}  // namespace warpcheck::workflows::init
