// Texts of compilers, and hand-written texts that ptxas accepts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "base/diagnostic.hpp"
#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "tests/ptx/texts.hpp"

namespace warpcheck::ptx {
namespace {

Module recorded(const std::string& name) {
  const auto path = std::filesystem::path(WARPCHECK_SOURCE_DIR) / "tests/ptx/recorded" / name;
  return parse(read(path), name);
}

TEST(RecordedPtx, IsUnchangedByPrintingAndParsing) {
  for (const char* folder : {"recorded", "written"}) {
    for (const std::filesystem::path& file : files_in(folder, ".ptx")) {
      const Module module = parse(read(file), file.string());
      const std::string printed = to_text(module);
      const Module again = parse(printed, "printed");
      EXPECT_TRUE(again == module) << file << "\n" << printed;
      EXPECT_EQ(to_text(again), printed) << file;
    }
  }
}

/// Counts instructions independently of the parser: in the braces of a function, every `;` that
/// does not end a declaration.
std::size_t count_instructions(const std::string& text) {
  std::istringstream lines(text.substr(0, text.find("\t.section")));
  std::size_t count = 0;
  int depth = 0;
  std::string statement;
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find("//"));
    if (line.find(".loc\t") != std::string::npos || line.ends_with(":")) continue;
    for (char c : line) {
      if (c == '{') ++depth;
      if (c == '}') --depth;
      if (c != ';') statement += c;
      if (c == ';' && depth > 0) {
        const std::size_t first = statement.find_first_not_of(" \t{}");
        const bool declares = first != std::string::npos && statement[first] == '.';
        if (!declares && statement.find(" : .") == std::string::npos) ++count;
      }
      if (c == ';' || depth == 0) statement.clear();
    }
  }
  return count;
}

TEST(RecordedPtx, NoInstructionIsLost) {
  for (const std::filesystem::path& file : files_in("recorded", ".ptx")) {
    const std::string text = read(file);
    const Module module = parse(text, file.string());
    std::size_t parsed = 0;
    for (const Function& function : module.functions) parsed += function.body.size();
    EXPECT_EQ(parsed, count_instructions(text)) << file;
    EXPECT_GT(parsed, 20u) << file;
  }
}

TEST(RecordedPtx, PlacesAreThoseOfTheInstructions) {
  for (const std::filesystem::path& file : files_in("recorded", ".ptx")) {
    const std::string text = read(file);
    const Module module = parse(text, file.string());
    for (const Function& function : module.functions) {
      for (const Instruction& instruction : function.body) {
        const std::string_view line = line_of(text, instruction.place.line);
        const std::string_view at = line.substr(instruction.place.column - 1);
        const std::string first = instruction.guard ? "@" : instruction.parts.front();
        EXPECT_TRUE(at.starts_with(first)) << file << ":" << instruction.place.line;
      }
    }
  }
}

TEST(RecordedPtx, KernelHasItsLaunchBounds) {
  const Module module = recorded("variables.sm_80.ptx");
  const Function* kernel = module.find_function("_Z9variablesPfi");
  ASSERT_NE(kernel, nullptr);
  EXPECT_TRUE(kernel->is_entry);
  EXPECT_EQ(kernel->directives.maxntid, (std::array<unsigned, 3>{128, 1, 1}));
  EXPECT_EQ(kernel->directives.minnctapersm, 2u);
}

TEST(RecordedPtx, ClusterKernelHasItsClusterSize) {
  const Module module = recorded("clusters.sm_90.ptx");
  const Directives& directives = module.functions.at(0).directives;
  EXPECT_TRUE(directives.explicitcluster);
  EXPECT_EQ(directives.reqnctapercluster, (std::array<unsigned, 3>{2, 1, 1}));
}

TEST(RecordedPtx, DynamicSharedMemoryIsUnsizedAndExtern) {
  const Module module = recorded("variables.sm_80.ptx");
  const Variable& dynamic = module.variables.back();
  EXPECT_EQ(dynamic.name, "dynamic");
  EXPECT_EQ(dynamic.space, StateSpace::shared);
  EXPECT_EQ(dynamic.linkage, Linkage::extern_);
  EXPECT_TRUE(dynamic.is_unsized());
  EXPECT_EQ(dynamic.alignment, 16u);
}

TEST(RecordedPtx, InlinedCodeHasTheLinesOfItsCalls) {
  // inlined.cu: the load of line 7 in row(), which both() calls in line 13, which the kernel calls
  // in line 22.
  const Module module = recorded("inlined.sm_80.ptx");
  std::set<std::vector<unsigned>> chains;
  for (const Instruction& instruction : module.functions.at(0).body) {
    if (instruction.parts.front() != "ld" || instruction.parts[1] != "global") continue;
    ASSERT_TRUE(instruction.location.has_value());
    const SourceLocation& location = module.locations.at(*instruction.location);
    EXPECT_TRUE(module.file(location.line.file).ends_with("inlined.cu"));
    std::vector<unsigned> chain{location.line.line};
    for (const SourceLine& call : location.inlined_at) chain.push_back(call.line);
    chains.insert(chain);
  }
  EXPECT_THAT(chains, ::testing::UnorderedElementsAre(std::vector<unsigned>{7, 13, 22},
                                                      std::vector<unsigned>{7, 15, 22},
                                                      std::vector<unsigned>{7, 23}));
}

}  // namespace
}  // namespace warpcheck::ptx
