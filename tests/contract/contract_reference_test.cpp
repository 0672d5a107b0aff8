// Compares docs/contract.md with the parser: both must list the same words.
#include <gmock/gmock.h>

#include <regex>
#include <set>
#include <string>

#include "base/files.hpp"
#include "contract/contract_keys.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::contract {
namespace {

using Names = std::set<std::string>;

/// The text of the page from this heading to the next.
std::string section(const std::string& heading) {
  const std::string page = read_input(WARPCHECK_SOURCE_DIR "/docs/contract.md");
  const std::size_t begin = page.find("\n## " + heading + "\n");
  EXPECT_NE(begin, std::string::npos) << heading;
  return page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

Names code_spans(const std::string& text) {
  static const std::regex kSpan("`([^`]+)`");
  Names names;
  for (std::sregex_iterator at(text.begin(), text.end(), kSpan), end; at != end; ++at) {
    names.insert((*at)[1]);
  }
  return names;
}

/// The names in the first column of the section's table.
Names first_column(const std::string& text) {
  static const std::regex kRow("\n\\| ([^|]*) \\|");
  Names names;
  for (std::sregex_iterator at(text.begin(), text.end(), kRow), end; at != end; ++at) {
    names.merge(code_spans((*at)[1]));
  }
  return names;
}

Names all(const std::vector<std::string_view>& words) { return {words.begin(), words.end()}; }

TEST(ContractReference, HasEveryKeyAndNoOther) {
  EXPECT_EQ(first_column(section("Keys")), all(contract_keys()));
}

TEST(ContractReference, HasEveryArgumentWordAndNoOther) {
  EXPECT_EQ(first_column(section("Arguments")), all(argument_words()));
}

TEST(ContractReference, HasEveryTypeAndNoOther) {
  const std::string types = section("Types");
  EXPECT_EQ(code_spans(types.substr(0, types.find(". The operands"))), all(type_words()));
}

TEST(ContractReference, FunctionsAreThoseOfExpressions) {
  for (const std::string& call : first_column(section("Expressions"))) {
    const std::string function = call.substr(0, call.find('('));
    const std::string example = function == "aligned" ? "aligned(a, 16)" : function + "(m, 4)";
    EXPECT_NO_THROW((void)Expression::parse(example, {}, &kContractVocabulary)) << example;
  }
}

}  // namespace
}  // namespace warpcheck::contract
