// Modules of relocatable device code are joined.
#include "ptx/link.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/diagnostic.hpp"
#include "ptx/parser.hpp"
#include "ptx/printer.hpp"

namespace warpcheck::ptx {
namespace {

using testing::HasSubstr;

constexpr const char* kLinkHeader = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// The text of the joined modules, which is also valid PTX.
std::string linked(const std::vector<std::string>& texts) {
  std::vector<Module> modules;
  for (const std::string& text : texts) modules.push_back(parse(kLinkHeader + text, "module"));
  const Module joined = link(modules);
  const std::string text = to_text(joined);
  EXPECT_EQ(parse(text, "linked"), joined);
  return text;
}

TEST(Link, DeclarationStandsForTheDefinition) {
  const std::string text = linked(
      {".extern .global .u32 count;\n.extern .func step;\n"
       ".visible .entry run() { .reg .u32 %r; ld.global.u32 %r, [count+4]; call step; ret; }\n",
       ".global .u32 before;\n.visible .global .u32 count[2] = {1, 2};\n"
       ".visible .global .u64 pointer_to = count;\n"
       ".visible .func step { .reg .u32 %r; st.global.u32 [before], %r; ret; }\n"});
  EXPECT_THAT(text, HasSubstr(".visible .global .u32 count[2] = {1, 2};"));
  EXPECT_THAT(text, testing::Not(HasSubstr(".extern")));
  EXPECT_THAT(text, HasSubstr("ld.global.u32 %r, [count+4];"));
  EXPECT_THAT(text, HasSubstr("st.global.u32 [before], %r;"));
  EXPECT_THAT(text, HasSubstr("pointer_to = count"));
}

TEST(Link, NamesWithoutLinkageStayApart) {
  const auto module = [](const std::string& entry) {
    return ".global .u32 hidden;\n.visible .entry " + entry +
           "() { .reg .u32 %r; ld.global.u32 %r, [hidden]; ret; }\n";
  };
  const std::string text = linked({module("one"), module("two")});
  EXPECT_THAT(text, HasSubstr("[hidden];"));
  EXPECT_THAT(text, HasSubstr("[hidden$1];"));
}

TEST(Link, VariablePrecedesInitializersWithItsAddress) {
  const std::string text =
      linked({".global .u32 hidden[2];\n.visible .global .u64 last = hidden+4;\n",
              ".extern .global .u64 last;\n"
              ".visible .global .u64 pointer_to = last;\n"});
  EXPECT_LT(text.find(" hidden[2]"), text.find(" last = hidden+4"));
  EXPECT_LT(text.find(" last = hidden+4"), text.find(" pointer_to = last"));
}

TEST(Link, VisibleDefinitionReplacesAWeakOne) {
  const std::string text = linked({".weak .global .u32 x = 1;\n", ".visible .global .u32 x = 2;\n",
                                   ".weak .global .u32 x = 3;\n"});
  EXPECT_THAT(text, HasSubstr(".visible .global .u32 x = 2;"));
  EXPECT_THAT(text, testing::Not(HasSubstr(".weak")));
}

TEST(Link, LinesKeepTheirFiles) {
  const auto module = [](const std::string& entry, const std::string& file) {
    return ".visible .entry " + entry + "() {\n.loc 1 7 3\nret; }\n.file 1 \"" + file + "\"\n";
  };
  const Module joined = link({parse(kLinkHeader + module("one", "a.cu"), "module"),
                              parse(kLinkHeader + module("two", "b.cu"), "module")});
  const Instruction& last = joined.find_function("two")->body.back();
  EXPECT_EQ(joined.file(joined.locations.at(last.location.value()).line.file), "b.cu");
}

TEST(Link, MissingAndDoubleDefinitionsAreErrors) {
  const auto error = [](const std::vector<std::string>& texts) {
    try {
      linked(texts);
    } catch (const InputError& reported) {
      return std::string(reported.what());
    }
    return std::string("none");
  };
  EXPECT_THAT(error({".extern .global .u32 x;\n"}), HasSubstr("no module defines the variable x"));
  EXPECT_THAT(error({".visible .global .u32 x;\n", ".visible .global .u32 x;\n"}),
              HasSubstr("two modules define x"));
  EXPECT_EQ(error({".extern .func f;\n"}), "none");  // a call of it is unsupported
}

}  // namespace
}  // namespace warpcheck::ptx
