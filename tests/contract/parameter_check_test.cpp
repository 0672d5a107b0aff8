#include "contract/parameters/parameter_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract/parameters/parameter_format.hpp"

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
      ElementsAre("argument 'alpha' is a floating-point number of 4 or 8 bytes, but parameter "
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

std::vector<std::string> literal_errors(const std::string& literal, ptx::EntryParameter parameter) {
  return errors(contract_with("'c', " + literal), {{8}, parameter});
}

// 2, 2.0 and 2e0 are the same number: the parameter decides whether it is an integer or a float.
TEST(ParameterCheck, SpellingOfALiteralDoesNotMatter) {
  for (const char* literal : {"2", "2.0", "'2'", "'2e0'", "'-2.0'"}) {
    for (const std::size_t bytes : {4, 8}) {
      EXPECT_THAT(literal_errors(literal, {bytes, true}), IsEmpty()) << literal;
      EXPECT_THAT(literal_errors(literal, {bytes}), IsEmpty()) << literal;
    }
  }
}

TEST(ParameterCheck, LiteralsBeyondTheParameterAreErrors) {
  EXPECT_THAT(literal_errors("2.5", {4}), testing::SizeIs(1));
  EXPECT_THAT(literal_errors("255", {1}), IsEmpty());
  EXPECT_THAT(literal_errors("-128", {1}), IsEmpty());
  EXPECT_THAT(literal_errors("256", {1}), testing::SizeIs(1));
  EXPECT_THAT(literal_errors("'18446744073709551615'", {8}), IsEmpty());
  EXPECT_THAT(literal_errors("'18446744073709551616'", {8}), testing::SizeIs(1));
  EXPECT_THAT(literal_errors("1e39", {4, true}), testing::SizeIs(1));
  EXPECT_THAT(literal_errors("1e39", {8, true}), IsEmpty());
  EXPECT_THAT(literal_errors("1e-60", {4, true}), testing::SizeIs(1));
  EXPECT_THAT(literal_errors("inf", {4, true}), IsEmpty());
  EXPECT_THAT(literal_errors("inf", {4}), testing::SizeIs(1));
}

TEST(ParameterCheck, LiteralForBitsWithoutATypeIsAnError) {
  EXPECT_THAT(
      literal_errors("2", {4, false, true}),
      ElementsAre("argument '2' does not fit parameter 2 of kernel 'f', which is 4 bytes of "
                  "PTX without a type: expected a parameter that C++ or PTX shows to be an "
                  "integer or a float, or 0"));
  EXPECT_THAT(literal_errors("0", {4, false, true}), IsEmpty());
}

/// The format of the only parameter of f.
ParameterFormat format_of(const std::string& name, ptx::EntryParameter parameter,
                          const std::string& signature = "") {
  return parameter_formats({name, {parameter}, signature}).at(0);
}

TEST(ParameterFormat, CxxTypeDecidesBeforePtx) {
  using Kind = ParameterFormat::Kind;
  EXPECT_EQ(format_of("_Z1ff", {4, true}).type, ScalarType::f32);
  EXPECT_EQ(format_of("_Z1fd", {8, true}).type, ScalarType::f64);
  const ParameterFormat half = format_of("_Z1f6__half", {2, false, true});
  EXPECT_EQ(half.kind, Kind::floating);
  EXPECT_EQ(half.type, ScalarType::f16);
  EXPECT_EQ(format_of("_Z1f13__nv_bfloat16", {2, false, true}).type, ScalarType::bf16);
  EXPECT_EQ(format_of("f", {2, false, true}, "f(__half)").type, ScalarType::f16);
  EXPECT_EQ(format_of("_Z1fN3c104HalfE", {2, false, true}).type, ScalarType::f16);
  EXPECT_EQ(format_of("_Z1fPf", {8}).kind, Kind::address);
  EXPECT_EQ(format_of("_Z1f7__half2", {4, false, true}).kind, Kind::structure);
  EXPECT_EQ(format_of("_Z1f4Mode", {4}).kind, Kind::integer) << "an enumeration";
  EXPECT_EQ(format_of("f", {2, false, true}).kind, Kind::unknown);
}

TEST(ParameterFormat, LimitsOfIntegersFollowTheirSign) {
  EXPECT_EQ(format_of("_Z1fi", {4}).highest, 2147483647.0L);
  EXPECT_EQ(format_of("_Z1fi", {4}).lowest, -2147483648.0L);
  EXPECT_EQ(format_of("_Z1fj", {4}).lowest, 0.0L);
  EXPECT_EQ(format_of("_Z1fm", {8}).highest, 18446744073709551615.0L);
  EXPECT_EQ(format_of("_Z1fb", {1}).highest, 1.0L);
  EXPECT_EQ(format_of("f", {4}).lowest, -2147483648.0L) << "PTX does not show the sign";
  EXPECT_EQ(format_of("f", {4}).highest, 4294967295.0L);
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
  EXPECT_THAT(check_named(contract, "_Z1fPKfS0_Pfi"),
              IsEmpty());  // the parameters are those of the contract
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
