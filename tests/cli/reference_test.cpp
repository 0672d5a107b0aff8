// Compares lists in the docs with those of the program.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/files.hpp"
#include "cli/help/description.hpp"
#include "cli/options/program.hpp"
#include "properties/checks/property.hpp"

namespace warpcheck::cli {
namespace {

using testing::HasSubstr;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Reference, PageOfPropertiesListsExactlyTheProperties) {
  const std::string page = read_input(WARPCHECK_SOURCE_DIR "/docs/properties.md");
  for (const properties::checks::Property& property : properties::checks::properties()) {
    EXPECT_THAT(page,
                HasSubstr(fmt::format("\n| `{}` | {} |\n", property.name, property.statement)));
  }
  EXPECT_EQ(count(page, "\n| `"), properties::checks::properties().size());
}

TEST(Reference, ReadmeListsExactlyTheCommands) {
  const std::string readme = read_input(WARPCHECK_SOURCE_DIR "/README.md");
  const std::size_t begin = readme.find("## The command\n\n```text\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string list = readme.substr(begin, readme.find("\n```\n", begin) - begin);
  Command unused;
  const auto program = make_program(unused);
  for (const CommandApp* command : listed_commands(*program)) {
    EXPECT_THAT(list, HasSubstr("\nwarpcheck " + command->get_name() + " "));
  }
  EXPECT_EQ(count(list, "\nwarpcheck "), listed_commands(*program).size());
}

}  // namespace
}  // namespace warpcheck::cli
