// The functions of the CUDA runtime inside of a program, found by where functions begin.
#include "runtime/static_runtime/layouts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace warpcheck::runtime {
namespace {

using Offsets = std::map<std::string, std::uint64_t>;  // keyed by name

/// The columns of layouts.csv: the versions of the runtime.
std::vector<Offsets> recorded_versions() {
  std::ifstream file(WARPCHECK_SOURCE_DIR "/runtime/static_runtime/layouts.csv");
  std::vector<Offsets> versions;
  std::string line;
  std::getline(file, line);  // the names of the versions
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string name;
    std::getline(cells, name, ',');
    std::size_t version = 0;
    for (std::string cell; std::getline(cells, cell, ','); ++version) {
      if (versions.size() == version) versions.emplace_back();
      if (cell != "-") versions[version][name] = std::stoull(cell, nullptr, 16);
    }
  }
  return versions;
}

/// The functions of a program: those of the runtime at `code`, and others.
std::vector<std::uint64_t> program_with(const Offsets& functions, std::uint64_t code) {
  std::vector<std::uint64_t> starts;
  for (std::uint64_t other = 0; other < code; other += 48) starts.push_back(other);
  for (const auto& [name, offset] : functions) {
    starts.push_back(code + offset);
    starts.push_back(code + offset + 8);  // a function that is not exported
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

TEST(Layouts, FunctionsOfEachVersionAreFoundByName) {
  const std::vector<Offsets> versions = recorded_versions();
  ASSERT_GE(versions.size(), 7U);
  for (const Offsets& functions : versions) {
    ASSERT_GT(functions.size(), 400U);
    constexpr std::uint64_t kCode = 0x12340;
    const auto found = find_static_runtime(program_with(functions, kCode));
    ASSERT_EQ(found.size(), functions.size());
    for (const RuntimeFunction& function : found) {
      EXPECT_EQ(function.address, kCode + functions.at(function.name)) << function.name;
    }
  }
}

TEST(Layouts, RuntimeThatLacksAFunctionIsUnknown) {
  const Offsets whole = recorded_versions().front();
  for (const char* const name : {"cudaMalloc", "__cudaRegisterFatBinary", "cudaProfilerStop"}) {
    Offsets functions = whole;
    ASSERT_EQ(functions.erase(name), 1U);
    EXPECT_TRUE(find_static_runtime(program_with(functions, 4096)).empty()) << name;
  }
}

TEST(Layouts, ProgramWithoutRuntimeHasNone) {
  EXPECT_TRUE(find_static_runtime({}).empty());
  EXPECT_TRUE(find_static_runtime({16}).empty());
  EXPECT_TRUE(find_static_runtime(program_with({}, 100000)).empty());
}

}  // namespace
}  // namespace warpcheck::runtime
