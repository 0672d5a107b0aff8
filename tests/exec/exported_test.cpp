// The functions that the replacement of the CUDA runtime exports.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "base/files.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

constexpr const char* kPage = WARPCHECK_SOURCE_DIR "/docs/exec.md";
constexpr std::string_view kBegin = "<!-- functions begin -->\n";
constexpr std::string_view kEnd = "<!-- functions end -->\n";

/// The functions of a library by name, each with its type of symbol: T, W if it is weak, or i if
/// the linker resolves it.
std::map<std::string, char> functions_of(const Scratch& scratch, const std::string& library) {
  std::istringstream lines(scratch.shell("nm -D --defined-only '" + library + "'").out);
  std::map<std::string, char> functions;
  std::string address;
  char type = 0;
  for (std::string name; lines >> address >> type >> name;) {
    if (std::string_view("TWi").find(type) != std::string_view::npos)
      functions[name.substr(0, name.find('@'))] = type;
  }
  return functions;
}

/// The names in lines of a block of the page.
std::string block_of(const std::set<std::string>& names) {
  constexpr std::size_t kColumns = 120;
  std::string text;
  std::size_t used = 0;
  for (const std::string& name : names) {
    const bool is_first = used == 0 || used + 1 + name.size() > kColumns;
    text += (is_first ? "\n" : " ") + name;
    used = is_first ? name.size() : used + 1 + name.size();
  }
  return "\n```text" + text + "\n```\n";
}

/// True for a function of the driver: "cuInit", not "cudaMalloc".
bool is_of_driver(const std::string& name) {
  return name.starts_with("cu") && name.size() > 2 && name[2] >= 'A' && name[2] <= 'Z';
}

/// "the runtime", "the driver", "cuBLAS" or "cuBLASLt"; empty: no function that programs call.
std::string library_of(const std::string& name) {
  if (name.ends_with("_ptsz") || name.ends_with("_ptds")) return "";
  if (is_of_driver(name)) return "the driver";
  if (name.starts_with("cublasLt")) return "cuBLASLt";
  if (name.starts_with("cublas")) return "cuBLAS";
  return name.starts_with("cuda") ? "the runtime" : "";
}

/// The lists of the functions of a library.
std::string lists_of(const std::map<std::string, char>& functions, const std::string& library) {
  std::set<std::string> implemented;
  std::set<std::string> missing;
  for (const auto& [name, type] : functions) {
    if (library_of(name) == library) (type == 'W' ? missing : implemented).insert(name);
  }
  return fmt::format(
      "{} functions of {} are implemented:\n{}\n{} functions of {} are unsupported:\n{}",
      implemented.size(), library, block_of(implemented), missing.size(), library,
      block_of(missing));
}

/// The functions of the versions of the runtime that exec replaces inside of programs.
std::set<std::string> functions_of_all_versions() {
  std::istringstream lines(read_input(WARPCHECK_SOURCE_DIR "/runtime/static_runtime/layouts.csv"));
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) names.insert(line.substr(0, line.find(',')));
  return names;
}

TEST(ExportedFunctions, AreThoseOfTheReplacedLibraries) {
  const Scratch scratch;
  const auto own = functions_of(scratch, WARPCHECK_CUDART_REPLACEMENT);
  auto original = functions_of(scratch, WARPCHECK_CUDART_ORIGINAL);
  ASSERT_GT(original.size(), 300U);
  for (const auto& function : functions_of(scratch, WARPCHECK_CUDA_STUB)) {
    if (function.first.starts_with("cu")) original.insert(function);
  }
  ASSERT_GT(original.size(), 800U);
  for (const std::string& library : std::vector<std::string>{WARPCHECK_CUBLAS_ORIGINALS}) {
    const auto functions = functions_of(scratch, library);
    ASSERT_GT(functions.size(), 100U);
    original.insert(functions.begin(), functions.end());
  }
  for (const auto& [name, type] : original) EXPECT_TRUE(own.contains(name)) << name;
  const std::set<std::string> versions = functions_of_all_versions();
  for (const auto& [name, type] : own) {
    const bool is_for_python = name.starts_with("warpcheck_exec_");
    const bool is_of_other_version = versions.contains(name) && type == 'W';
    EXPECT_TRUE(is_for_python || is_of_other_version || original.contains(name)) << name;
  }
  for (const std::string& name : versions) {
    EXPECT_TRUE(name == "versions" || own.contains(name)) << name;
  }
}

/// As an alias of the other function, it would use the stream that all threads share.
TEST(ExportedFunctions, HaveVariantsForTheStreamOfTheThread) {
  const Scratch scratch;
  const auto functions = functions_of(scratch, WARPCHECK_CUDART_REPLACEMENT);
  std::size_t variants = 0;
  for (const auto& [name, type] : functions) {
    for (const char* const suffix : {"_ptsz", "_ptds"}) {
      const auto variant = functions.find(name + suffix);
      if (type == 'W' || variant == functions.end()) continue;
      ++variants;
      EXPECT_EQ(variant->second, 'i') << variant->first;
    }
  }
  EXPECT_GT(variants, 80U);
}

/// True if the page lists the functions of the libraries with which warpcheck was built: another
/// version of cuBLAS has others.
bool lists_these_libraries(const std::string& page, const std::map<std::string, char>& functions) {
  std::set<std::string> listed;
  std::istringstream words(page.substr(page.find(kBegin)));
  for (std::string word; words >> word;) {
    if (library_of(word).starts_with("cuBLAS")) listed.insert(word);
  }
  std::set<std::string> own;
  for (const auto& [name, type] : functions) {
    if (library_of(name).starts_with("cuBLAS")) own.insert(name);
  }
  return listed == own && std::string_view(WARPCHECK_CUDART_ORIGINAL).find("libcudart.so.13") !=
                              std::string_view::npos;
}

/// With WARPCHECK_WRITE_PAGES in the environment the test writes the page.
TEST(ExportedFunctions, AreListedOnThePage) {
  const Scratch scratch;
  const auto functions = functions_of(scratch, WARPCHECK_CUDART_REPLACEMENT);
  const std::string lists = lists_of(functions, "the runtime") + "\n" +
                            lists_of(functions, "the driver") + "\n" +
                            lists_of(functions, "cuBLAS") + "\n" + lists_of(functions, "cuBLASLt");
  std::string page = read_input(kPage);
  const std::size_t begin = page.find(kBegin) + kBegin.size();
  const std::size_t end = page.find(kEnd);
  ASSERT_LE(begin, end);
  if (std::getenv("WARPCHECK_WRITE_PAGES") != nullptr) {
    page.replace(begin, end - begin, "\n" + lists + "\n");
    write_file(kPage, page);
  } else if (!lists_these_libraries(page, functions)) {
    GTEST_SKIP() << "the page lists the functions of CUDA 13 with cuBLAS 13.1";
  }
  EXPECT_EQ(page.substr(begin, lists.size() + 2), "\n" + lists + "\n")
      << "WARPCHECK_WRITE_PAGES=1 test_exec --gtest_filter=ExportedFunctions.* writes " << kPage;
}

}  // namespace
}  // namespace warpcheck::tool
