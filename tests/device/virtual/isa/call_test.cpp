// Functions of a module: nested, recursive, divergent and indirect calls; printf and assert.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kFunctions = R"(
.func (.param .b32 result) triple(.param .b32 a) {
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [a];
  mul.lo.u32 %r2, %r1, 3;
  st.param.b32 [result], %r2;
  ret;
}
.func (.param .b32 result) triple_plus_one(.param .b32 a) {
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [a];
  { .param .b32 x; .param .b32 y;
    st.param.b32 [x], %r1;
    call.uni (y), triple, (x);
    ld.param.b32 %r2, [y]; }
  add.u32 %r3, %r2, 1;
  st.param.b32 [result], %r3;
  ret;
}
.func (.param .b32 result) fibonacci(.param .b32 n) {
  .reg .b32 %r<9>; .reg .pred %p<2>;
  ld.param.u32 %r1, [n];
  setp.ge.u32 %p1, %r1, 2;
  @%p1 bra more;
  st.param.b32 [result], %r1;
  ret;
more:
  sub.u32 %r2, %r1, 1;
  { .param .b32 x; .param .b32 y;
    st.param.b32 [x], %r2;
    call (y), fibonacci, (x);
    ld.param.b32 %r3, [y]; }
  sub.u32 %r4, %r1, 2;
  { .param .b32 x; .param .b32 y;
    st.param.b32 [x], %r4;
    call (y), fibonacci, (x);
    ld.param.b32 %r5, [y]; }
  add.u32 %r6, %r3, %r5;
  st.param.b32 [result], %r6;
  ret;
}
.func (.param .b32 result) forever(.param .b32 a) {
  .reg .b32 %r<3>;
  { .param .b32 x; .param .b32 y;
    mov.u32 %r1, 1;
    st.param.b32 [x], %r1;
    call (y), forever, (x); }
  ret;
}
)";

/// `%r1 = function(%r2)`.
std::string call(std::string_view function) {
  return "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r2; call (y), " +
         std::string(function) + ", (x); ld.param.b32 %r1, [y]; } ";
}

TEST(Call, FunctionReceivesItsArgumentAndReturnsAResult) {
  const Result result =
      run("mov.u32 %r2, %me;" + call("triple") + "st.global.u32 [%own], %r1;", {}, {}, kFunctions);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(31), 93U);
}

TEST(Call, FunctionsCallFunctions) {
  const Result result =
      run("mov.u32 %r2, %me;" + call("triple_plus_one") + "st.global.u32 [%own], %r1;", {}, {},
          kFunctions);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(4), 13U);
}

TEST(Call, LanesRecurseToDifferentDepths) {
  const Result result = run("and.b32 %r2, %me, 7;" + call("fibonacci") +
                                "activemask.b32 %r3;"
                                "st.global.v2.u32 [%own], {%r1, %r3};",
                            {}, {}, kFunctions);
  EXPECT_EQ(result.finding(), "");
  const std::uint32_t numbers[] = {0, 1, 1, 2, 3, 5, 8, 13};
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane), numbers[lane % 8]);
    EXPECT_EQ(result.at<std::uint32_t>(2 * lane + 1), 0xffffffffU);
  }
}

TEST(Call, SomeLanesCallWhileOthersDoNot) {
  const Result result =
      run("mov.u32 %r1, 7; mov.u32 %r2, %me; setp.lt.u32 %p1, %me, 8; @!%p1 bra met;\n" +
              call("triple") + "\nmet: activemask.b32 %r3; st.global.v2.u32 [%own], {%r1, %r3};",
          {}, {}, kFunctions);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(2 * 7), 21U);
  EXPECT_EQ(result.at<std::uint32_t>(2 * 8), 7U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 0xffffffffU);
}

TEST(Call, LanesCallThroughDifferentAddresses) {
  const Result result =
      run("mov.u64 %d1, triple; mov.u64 %d2, triple_plus_one; and.b32 %r3, %me, 1;"
          "setp.eq.u32 %p1, %r3, 0; selp.b64 %d3, %d1, %d2, %p1; mov.u32 %r2, %me;\n"
          "prototype: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
          "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r2; call (y), %d3, (x), prototype;"
          "ld.param.b32 %r1, [y]; } st.global.u32 [%own], %r1;",
          {}, {}, kFunctions);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(10), 30U);
  EXPECT_EQ(result.at<std::uint64_t>(11), 34U);
}

TEST(Call, AddressOfNoFunctionIsAnInvalidCall) {
  const auto finding = [](const std::string& address) {
    return run(address + "\n prototype: .callprototype _ ();\n call %d3, (), prototype;").finding();
  };
  EXPECT_EQ(finding("mov.u64 %d3, 64;"),
            "invalid-call: a call of address 0x40, which is not a function");
  EXPECT_EQ(finding("mov.u64 %d3, 0;"), "invalid-call: a call of address 0x0, a null pointer");
  EXPECT_EQ(finding(""), "invalid-call: the address of the called function is undefined");
  EXPECT_THAT(finding("add.u64 %d3, %out, 8;"), HasSubstr(", byte 8 of out, which is not a"));
}

TEST(Call, EndlessRecursionExceedsTheStack) {
  const Result result = run("mov.u32 %r2, 1;" + call("forever"), {}, {}, kFunctions);
  EXPECT_THAT(result.finding(), StartsWith("launch-failure: the calls nest so deep"));
  EXPECT_THAT(result.outcome.findings.front().source.instruction, HasSubstr("call"));
}

TEST(Call, CallOfAnUndefinedFunctionIsIllegal) {
  const std::string_view declaration = ".extern .func missing(.param .b32 a);";
  EXPECT_THAT(run("{ .param .b32 x; st.param.b32 [x], 1; call missing, (x); }", {}, {}, declaration)
                  .finding(),
              HasSubstr("no definition of function missing"));
}

TEST(Call, UndefinedArgumentStaysUndefined) {
  EXPECT_THAT(run("ld.global.u32 %r2, [%in];" + call("triple") + "st.global.u32 [%own], %r1;", {1},
                  {.in_initialized = false}, kFunctions)
                  .finding(),
              StartsWith("uninitialized-read"));
}

TEST(Call, PrintfFormatsTheArgumentsOfEachLane) {
  const Result result = run(
      "mov.u64 %d1, text; cvta.global.u64 %d1, %d1;"
      ".local .align 8 .b8 arguments[24]; st.local.u32 [arguments], %me; mov.f64 %e1, "
      "0d3FF8000000000000;"
      "st.local.f64 [arguments+8], %e1; mov.u64 %d4, word; cvta.global.u64 %d4, %d4;"
      "st.local.u64 [arguments+16], %d4; mov.u64 %d2, arguments; cvta.local.u64 %d2, %d2;"
      "{ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %d1; st.param.b64 [b], %d2;"
      "call.uni (c), vprintf, (a, b); ld.param.b32 %r1, [c]; }",
      {}, {.block = {2, 1, 1}},
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
      // "%d %5.2f %s%%\n"
      ".global .align 1 .b8 text[15] = {37, 100, 32, 37, 53, 46, 50, 102, 32, 37, 115, 37, 37, 10, "
      "0};"
      ".global .align 1 .b8 word[3] = {104, 105, 0};\n");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.outcome.printed, "0  1.50 hi%\n1  1.50 hi%\n");
}

TEST(Call, FailedAssertionNamesItsTextFileAndLine) {
  const Result result =
      run("mov.u64 %d1, text; cvta.global.u64 %d1, %d1; mov.u32 %r1, 12; mov.u64 %d2, 1;"
          "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;"
          "st.param.b64 [a], %d1; st.param.b64 [b], %d1; st.param.b32 [c], %r1;"
          "st.param.b64 [d], %d1; st.param.b64 [e], %d2; call.uni __assertfail, (a, b, c, d, e); }",
          {}, {},
          ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d,"
          " .param .b64 e);\n.global .align 1 .b8 text[4] = {120, 62, 48, 0};");
  EXPECT_EQ(result.finding(), "launch-failure: x>0:12: assertion `x>0` failed");
}

constexpr std::string_view kInRegisters = R"(
.func (.reg .b32 result) difference(.reg .b32 a, .reg .b32 b) {
  sub.u32 result, a, b;
  ret;
}
.func (.param .b32 result) sum_in_memory(.param .b32 a, .param .b64 b) {
  .reg .b32 %r<4>; .reg .b64 %d<2>;
  ld.param.u32 %r1, [a];
  ld.param.u64 %d1, [b];
  cvt.u32.u64 %r2, %d1;
  add.u32 %r3, %r1, %r2;
  st.param.b32 [result], %r3;
  ret;
}
.func (.reg .v2 .b32 sums) halves(.reg .v4 .b32 v) {
  add.u32 sums.x, v.x, v.y;
  add.u32 sums.y, v.z, v.w;
  ret;
}
)";

TEST(Call, ArgumentsAndResultsMayBeRegisters) {
  const Result result =
      run("mov.u32 %r2, 100; call (%r1), difference, (%r2, %me); st.global.u32 [%own], %r1;", {},
          {}, kInRegisters);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint64_t>(31), 69U);
}

TEST(Call, ConstantsAreArguments) {
  const Result result =
      run("call (%r1), difference, (10, 3); call (%r2), sum_in_memory, (5, 0x100000007);"
          "call (_), difference, (1, 1); st.global.v2.u32 [%own], {%r1, %r2};",
          {}, {}, kInRegisters);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 7U);
  EXPECT_EQ(result.at<std::uint32_t>(1), 12U);
}

TEST(Call, RegistersAndMemoryMayBeMixed) {
  const Result result =
      run("mov.u64 %d1, 4; { .param .b32 x; .param .b32 y; st.param.b32 [x], %me;"
          "call (y), difference, (x, 1); ld.param.b32 %r1, [y];"
          "call (%r2), sum_in_memory, (x, %d1); } st.global.v2.u32 [%own], {%r1, %r2};",
          {}, {}, kInRegisters);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(2 * 9), 8U);
  EXPECT_EQ(result.at<std::uint32_t>(2 * 9 + 1), 13U);
}

TEST(Call, VectorRegistersAreParameters) {
  const Result result =
      run(".reg .v4 .b32 q; .reg .v2 .b32 s; mov.u32 q.x, %me; mov.u32 q.y, 1; mov.u32 q.z, 20;"
          "mov.u32 q.w, 2; call (s), halves, (q); st.global.v2.u32 [%own], {s.x, s.y};",
          {}, {}, kInRegisters);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(2 * 5), 6U);
  EXPECT_EQ(result.at<std::uint32_t>(2 * 5 + 1), 22U);
}

TEST(Call, UndefinedRegisterArgumentStaysUndefined) {
  EXPECT_THAT(
      run("call (%r1), difference, (%r2, 1); st.global.u32 [%own], %r1;", {}, {}, kInRegisters)
          .finding(),
      StartsWith("uninitialized-read"));
}

TEST(Call, NumberOfArgumentsIsChecked) {
  EXPECT_THAT(run("call (%r1), difference, (%r2);", {}, {}, kInRegisters).finding(),
              HasSubstr("the arguments do not fit"));
  EXPECT_THAT(run("mov.u64 %d1, difference;\n"
                  "prototype: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
                  "call (%r1), %d1, (%r2), prototype;",
                  {}, {}, kInRegisters)
                  .finding(),
              HasSubstr("do not fit the parameters of difference"));
}

TEST(Call, PrintfReturnsTheNumberOfItsArguments) {
  const Result result =
      run("mov.u64 %d1, text; cvta.global.u64 %d1, %d1; mov.u64 %d3, 0;"
          ".local .align 8 .b8 arguments[8]; st.local.u32 [arguments], 1; "
          "st.local.u32 [arguments+4], 2; mov.u64 %d2, arguments; cvta.local.u64 %d2, %d2;"
          "call.uni (%r1), vprintf, (%d1, %d2); call.uni (%r2), vprintf, (%d3, %d2);"
          "st.global.v2.u32 [%own], {%r1, %r2};",
          {}, {.block = {1, 1, 1}},
          ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
          ".global .align 1 .b8 text[7] = {37, 100, 32, 37, 100, 10, 0};");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.outcome.printed, "1 2\n");
  EXPECT_EQ(result.at<std::uint32_t>(0), 2U);
  EXPECT_EQ(result.at<std::int32_t>(1), -1);
}

}  // namespace
}  // namespace warpcheck::isa::test
