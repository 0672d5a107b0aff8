#include "contract/parameters/parameter_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck::contract {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Contract contract_with(const std::string& arguments, const std::string& accumulate = "f32") {
  return parse_contracts(
             "[[variant]]\nname = 'x'\nkernel = 'f'\noperation = 'gemm'\narguments = [" +
                 arguments + "]\nblock = [1]\ngrid = [1]\ntypes = { a = 'f32', b = 'f32', " +
                 "c = 'f32', accumulate = '" + accumulate + "' }\n",
             {"x.toml", 1, 1})
      .at(0);
}

std::vector<Diagnostic> check(const Contract& contract, const ptx::EntryPoint& entry) {
  return check_parameters(contract, contract.launches.at(0), entry);
}

std::vector<std::string> errors(const Contract& contract,
                                std::vector<ptx::EntryParameter> parameters) {
  std::vector<std::string> messages;
  for (const Diagnostic& error : check(contract, {"f", std::move(parameters)})) {
    messages.push_back(error.message);
  }
  return messages;
}

TEST(ParameterCheck, FittingArgumentsPass) {
  EXPECT_THAT(errors(contract_with("'a', 'c', 'm', 'lda', 'alpha', 'beta'"),
                     {{8}, {8}, {4}, {8}, {4, true}, {8, true}}),
              IsEmpty());
}

TEST(ParameterCheck, TransposesMayBeCharacters) {
  EXPECT_THAT(errors(contract_with("'c', 'ta', 'tb'"), {{8}, {1}, {4}}), IsEmpty());
  EXPECT_THAT(errors(contract_with("'c', 'ta'"), {{8}, {2}}), testing::SizeIs(1));
}

TEST(ParameterCheck, BothCountsAreNamed) {
  const Contract contract = contract_with("'a', 'b', 'c', 'm'");
  EXPECT_THAT(errors(contract, {{8}, {8}, {8}}),
              ElementsAre("4 arguments for kernel 'f', which takes 3"));
  EXPECT_EQ(check(contract, {"f", {}}).at(0).where, (Location{"x.toml", 5, 13}));
}

TEST(ParameterCheck, BothSizesAreNamedAtTheArgument) {
  const Contract contract = contract_with("'c', 'm', 'n'");
  EXPECT_THAT(
      errors(contract, {{4}, {24}, {8}}),
      ElementsAre("argument 'c' is an address of 8 bytes, but parameter 1 of kernel 'f' has 4 "
                  "bytes",
                  "argument 'm' is an integer of 4 or 8 bytes, but parameter 2 of kernel 'f' "
                  "has 24 bytes"));
  EXPECT_EQ(check(contract, {"f", {{8}, {24}, {8}}}).at(0).where, (Location{"x.toml", 5, 19}));
}

TEST(ParameterCheck, KindsMustAgree) {
  EXPECT_THAT(
      errors(contract_with("'c', 'm', 'alpha'"), {{8}, {4, true}, {4}}),
      ElementsAre("argument 'm' is an integer of 4 or 8 bytes, but parameter 2 of kernel 'f' is "
                  "a floating-point number of 4 bytes",
                  "argument 'alpha' is a floating-point number of 4 or 8 bytes, but parameter "
                  "3 of kernel 'f' is an integer of 4 bytes"));
  EXPECT_THAT(errors(contract_with("'c', 'a'"), {{8, true}, {8}}), testing::SizeIs(1));
}

TEST(ParameterCheck, AlphaHasTheKindOfTheAccumulatorOrOutput) {
  EXPECT_THAT(errors(contract_with("'c', 'alpha'", "s32"), {{8}, {4}}), IsEmpty());
  EXPECT_THAT(errors(contract_with("'c', 'alpha'", "s32"), {{8}, {4, true}}), IsEmpty());
  EXPECT_THAT(errors(contract_with("'c', 'alpha'", "f16"), {{8}, {2}}), IsEmpty());
  EXPECT_THAT(errors(contract_with("'c', 'alpha'", "f32"), {{8}, {2}}), testing::SizeIs(1));
}

TEST(ParameterCheck, LiteralsFitAnyNumber) {
  for (const std::size_t bytes : {1, 2, 4, 8}) {
    EXPECT_THAT(errors(contract_with("'c', 1"), {{8}, {bytes}}), IsEmpty());
  }
  EXPECT_THAT(errors(contract_with("'c', 1"), {{8}, {4, true}}), IsEmpty());
  EXPECT_THAT(errors(contract_with("'c', 0.5"), {{8}, {4, true}}), IsEmpty());
  EXPECT_THAT(errors(contract_with("'c', 0.5"), {{8}, {4}}), testing::SizeIs(1));
  EXPECT_THAT(errors(contract_with("'c', 1"), {{8}, {16}}), testing::SizeIs(1));
}

/// f(__half const*, float const*, float*, int)
constexpr const char* kHalfFirst = "_Z1fPK6__halfPKfPfi";

std::vector<Diagnostic> check_named(const Contract& contract, const std::string& mangled) {
  return check(contract, {mangled, {{8}, {8}, {8}, {4}}});
}

TEST(ParameterCheck, ElementsMustHaveTheTypeOfTheContract) {
  const Contract contract = contract_with("'a', 'b', 'c', 'm'");
  const std::vector<Diagnostic> found = check_named(contract, kHalfFirst);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "argument 'a' has elements of type f32, but parameter 1 of kernel 'f' is __half "
            "const*: expected types.a = \"f16\"");
  EXPECT_EQ(found[0].where, (Location{"x.toml", 5, 14}));
}

TEST(ParameterCheck, NamesWithoutTypesAndBytesFitAnyElements) {
  const Contract contract = contract_with("'a', 'b', 'c', 'm'");
  EXPECT_THAT(check_named(contract, "f"), IsEmpty());              // extern "C"
  EXPECT_THAT(check_named(contract, "_Z1fPKvS0_Pfi"), IsEmpty());  // void const*
  EXPECT_THAT(check_named(contract, "_Z1fPKfS0_Pfi"), IsEmpty());  // as the contract states
  EXPECT_THAT(check_named(contract, "_Z1fPK6float4S1_PS_i"), IsEmpty());
  EXPECT_THAT(check_named(contract, "_Z1fPK5uint4S1_PS_i"), IsEmpty());
}

TEST(ParameterCheck, TheParametersOfTemplatesHaveTypes) {
  // void f<double, 8>(double const*, double const*, double*, int)
  EXPECT_THAT(check_named(contract_with("'a', 'b', 'c', 'm'"), "_Z1fIdLi8EEvPKT_S2_PS0_i"),
              testing::SizeIs(3));
}

}  // namespace
}  // namespace warpcheck::contract
