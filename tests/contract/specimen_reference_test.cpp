// Compares kernels/specimens/README.md with the contracts of the specimens.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <set>
#include <string>

#include "base/files.hpp"
#include "contract/contract.hpp"

namespace warpcheck::contract {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kSpecimens = WARPCHECK_SOURCE_DIR "/kernels/specimens";

/// The line of the page that begins with this text; empty if there is none.
std::string line_that_begins(const std::string& page, const std::string& text) {
  const std::size_t begin = page.find("\n" + text);
  if (begin == std::string::npos) return {};
  return page.substr(begin + 1, page.find('\n', begin + 1) - begin - 1);
}

TEST(SpecimenReference, ListsEverySpecimenWithItsFindingClasses) {
  const std::string page = read_input(kSpecimens / "README.md");
  std::set<std::string> described;
  for (const auto& entry : fs::recursive_directory_iterator(kSpecimens)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string stem = entry.path().stem().string();
    const std::string kind = entry.path().parent_path().filename().string();
    for (const Contract& contract :
         parse_contracts(read_input(entry.path()), {entry.path().string(), 1, 1})) {
      // A row describes a variant, or all variants of the file with its name.
      const auto row_of = [&](const std::string& name) {
        return line_that_begins(page, fmt::format("| [{}]({}/{}.cu) |", name, kind, stem));
      };
      const std::string own = row_of(contract.name);
      const std::string row = own.empty() ? row_of(stem) : own;
      described.insert(row);
      ASSERT_TRUE(contract.expect) << contract.name;
      const std::string classes =
          fmt::format("| `{}` |", fmt::join(contract.expect->classes, "`, `"));
      EXPECT_THAT(row, HasSubstr(classes)) << contract.name;
    }
  }
  std::size_t rows = 0;
  for (std::size_t at = page.find("\n| [d"); at != std::string::npos;
       at = page.find("\n| [d", at + 1)) {
    ++rows;
  }
  EXPECT_EQ(rows, described.size());
}

}  // namespace
}  // namespace warpcheck::contract
