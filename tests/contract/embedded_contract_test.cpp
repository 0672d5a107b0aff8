#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract/contract.hpp"

namespace warpcheck::contract {
namespace {

using ::testing::HasSubstr;

std::string error_of(std::string_view source) {
  try {
    if (const auto embedded = embedded_contract(source, "x.cu")) {
      (void)parse_contracts(embedded->toml, embedded->where);
    }
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(EmbeddedContract, IsTheTextBetweenTheCommentsEnds) {
  const auto embedded = embedded_contract("// license\n/* warpcheck\nab = 1\n*/\nint x;\n", "x.cu");
  ASSERT_TRUE(embedded);
  EXPECT_EQ(embedded->toml, "\nab = 1\n");
  EXPECT_EQ(embedded->where, (Location{"x.cu", 2, 13}));
}

TEST(EmbeddedContract, MayBeIndentedAndFollowOtherText) {
  EXPECT_TRUE(embedded_contract("#include <a.h>\n  \t/* warpcheck\n*/", "x.cu"));
  EXPECT_TRUE(embedded_contract("/* warpcheck */", "x.cu"));
}

TEST(EmbeddedContract, OtherCommentsAreNone) {
  EXPECT_FALSE(embedded_contract("", "x.cu"));
  EXPECT_FALSE(embedded_contract("/* a warpcheck */", "x.cu"));
  EXPECT_FALSE(embedded_contract("/* warpchecked */", "x.cu"));
  EXPECT_FALSE(embedded_contract("int x; /* warpcheck */", "x.cu"));
  EXPECT_FALSE(embedded_contract("// /* warpcheck */", "x.cu"));
}

TEST(EmbeddedContract, ErrorsAreLocatedInTheSource) {
  EXPECT_EQ(error_of("// x\n\n/* warpcheck\n  wrong = 1\n*/\n"),
            "x.cu:4:3: error: unknown key 'wrong': expected one of variant, defaults\n"
            "    wrong = 1\n"
            "    ^\n");
}

TEST(EmbeddedContract, ErrorsOnItsFirstLineCountTheColumnsBefore) {
  EXPECT_THAT(error_of("/* warpcheck = */"), HasSubstr("x.cu:1:14: error: not TOML"));
}

TEST(EmbeddedContract, CommentWithoutEndIsAnError) {
  EXPECT_EQ(error_of("\n/* warpcheck\n"),
            "x.cu:2:1: error: the contract's comment does not end\n  /* warpcheck\n  ^\n");
}

TEST(EmbeddedContract, SecondCommentIsAnError) {
  EXPECT_THAT(error_of("/* warpcheck */\n/* warpcheck */"),
              HasSubstr("x.cu:2:1: error: second contract"));
}

}  // namespace
}  // namespace warpcheck::contract
