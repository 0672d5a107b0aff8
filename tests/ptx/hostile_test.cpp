// Texts that could break a parser: each is rejected soon, with a located error.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/diagnostic.hpp"
#include "ptx/parser.hpp"
#include "tests/ptx/texts.hpp"

namespace warpcheck::ptx {
namespace {

std::string repeat(std::string_view unit, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + unit.size());
  while (text.size() < bytes) text += unit;
  return text;
}

constexpr std::size_t kMegabyte = 1 << 20;

void expect_refused(const std::string& text) {
  try {
    static_cast<void>(parse(text, "hostile.ptx"));
    ADD_FAILURE() << "accepted: " << text.substr(0, 80);
  } catch (const InputError& error) {
    EXPECT_LE(error.diagnostics().size(), 21u);
    EXPECT_LT(std::string_view(error.what()).size(), 20000u);
    for (const Diagnostic& diagnostic : error.diagnostics()) EXPECT_GT(diagnostic.where.line, 0u);
  }
}

const std::string kHeader = ".version 8.0\n.target sm_80\n.address_size 64\n";

TEST(HostileText, RepetitionOfAnyTokenIsRefused) {
  for (const char* unit :
       {"{",  "}",  "(",  "[",     "-",     "!",  ".", "@",  "%",    "\"", "/*", "\\",
        "x ", "x:", "5 ", ".reg ", ".b32 ", "{}", ";", "<<", "\x80", "0x", "?:"}) {
    const std::string many = repeat(unit, 100'000);
    expect_refused(many);
    expect_refused(kHeader + many);
    expect_refused(kHeader + ".entry k() {" + many);
    expect_refused(kHeader + ".entry k() { .reg .b32 a; mov.b32 a, " + many);
    expect_refused(kHeader + ".entry k() { .reg .b32 a; ld.b32 a, [" + many);
    expect_refused(kHeader + ".global .b32 a[4] = " + many);
    expect_refused(kHeader + ".entry k(" + many);
    expect_refused(kHeader + ".section .s { {" + many);
  }
}

TEST(HostileText, TenMegabytesOfBracesAreRefused) {
  expect_refused(kHeader + repeat("{", 10 * kMegabyte));
  expect_refused(kHeader + ".entry k() " + repeat("{", 10 * kMegabyte));
}

TEST(HostileText, ZeroBytesAreRefused) {
  expect_refused(std::string(kMegabyte, '\0'));
  expect_refused(kHeader + std::string(".global .b32 x\0y;", 17));
}

TEST(HostileText, TooManyRegistersAreRefused) {
  for (const char* count : {"1048577", "4294967295", "18446744073709551615"}) {
    expect_refused(kHeader + ".entry k() { .reg .b32 %r<" + count + ">; ret; }");
  }
  expect_refused(kHeader + ".entry k() { .reg .b32 %r<600000>; ret; }\n" +
                 ".entry l() { .reg .b32 %r<600000>; ret; }\n");
}

TEST(HostileText, LongCorrectTextIsAccepted) {
  const std::string nested = "mov.b32 %r1, " + repeat("(", 90) + "1" + repeat(")", 90) + ";";
  EXPECT_NO_THROW(static_cast<void>(parse_body(nested)));
  EXPECT_NO_THROW(static_cast<void>(parse_body(repeat("{", 90) + repeat("}", 90))));
  EXPECT_NO_THROW(static_cast<void>(parse_body("mov.b32 %r1, 1" + repeat("+1", kMegabyte) + ";")));
  EXPECT_NO_THROW(static_cast<void>(parse_body("x" + repeat(".a", kMegabyte) + ";")));
  EXPECT_NO_THROW(static_cast<void>(parse_body("x 1" + repeat(",1", kMegabyte) + ";")));
}

TEST(HostileText, NestingIsLimited) {
  expect_refused(kHeader + ".entry k() {" + repeat("{", 200) + repeat("}", 200) + "}");
  expect_refused(kHeader + ".global .b32 x = " + repeat("(", 200) + "1" + repeat(")", 200) + ";");
  expect_refused(kHeader + ".global .b32 x = " + repeat("1?1:", 2000) + "1;");
  expect_refused(kHeader + ".global .b64 x = " + repeat("0xff(", 2000));
  expect_refused(kHeader + ".global .b8 x" + repeat("[1]", 300000) + " = " + repeat("{", 100000));
}

TEST(HostileText, EveryPrefixOfARealTextIsAModuleOrAnError) {
  const std::string text = read(files_in("recorded", ".ptx").front());
  for (std::size_t size = 0; size < text.size(); size += 7) {
    try {
      static_cast<void>(parse(std::string_view(text).substr(0, size), "truncated.ptx"));
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace warpcheck::ptx
