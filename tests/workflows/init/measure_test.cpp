// Guesses a contract for every kernel of the ladder and of the corpus, and compares it with the
// contract that its author wrote. Prints the table of docs/init.md.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "contract/kernel_source.hpp"
#include "device/virtual/virtual_device.hpp"
#include "tests/workflows/init/edits.hpp"
#include "workflows/init/init.hpp"

namespace warpcheck::workflows::init {
namespace {

namespace fs = std::filesystem;

/// The kernel of c14 accepts any block, and has one leading dimension for two matrices.
std::size_t most_edits(const std::string& file) {
  return file.find("c14_one_pitch_for_b_and_c") != std::string::npos ? 4 : 3;
}

std::vector<std::string> files_below(const std::string& folder, const std::string& extension) {
  std::vector<std::string> files;
  const fs::path root = fs::path(WARPCHECK_SOURCE_DIR) / folder;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() == extension) {
      files.push_back(entry.path().lexically_relative(WARPCHECK_SOURCE_DIR).string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Every sixth file; all files if WARPCHECK_FILES is "all", which takes minutes.
std::vector<std::string> files_with_contract() {
  std::vector<std::string> files = files_below("kernels/gemm", ".cu");
  const std::vector<std::string> corpus = files_below("tests/corpus", ".cu");
  files.insert(files.end(), corpus.begin(), corpus.end());
  const char* const chosen = std::getenv("WARPCHECK_FILES");
  if (chosen != nullptr && std::string_view(chosen) == "all") return files;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < files.size(); i += 6) some.push_back(files[i]);
  return some;
}

/// "file/01_naive.cu" -> "01_naive".
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return fs::path(info.param).stem().string();
}

/// init writes no contract of several launches or with tensor maps.
bool is_beyond_init(const std::vector<contract::Contract>& contracts) {
  return std::any_of(contracts.begin(), contracts.end(), [](const contract::Contract& one) {
    return one.launches.size() > 1 || !one.tensor_maps.empty();
  });
}

/// The edits to the contract of the file that is the nearest.
std::vector<std::string> least_edits(const GuessedContract& guessed,
                                     const std::vector<contract::Contract>& written) {
  const auto contracts = contract::parse_contracts(to_toml(guessed.draft), {"guessed", 1, 1});
  std::vector<std::string> least(100);
  for (const contract::Contract& one : written) {
    const std::vector<std::string> found = edits(contracts.front(), one);
    if (found.size() < least.size()) least = found;
  }
  return least;
}

class InitMeasure : public testing::TestWithParam<std::string> {};

TEST_P(InitMeasure, NeedsAtMostThreeEdits) {
  const fs::path file = fs::path(WARPCHECK_SOURCE_DIR) / GetParam();
  const auto written = contract::read_kernel_source(file).contracts;
  if (is_beyond_init(written)) GTEST_SKIP() << "a contract of several launches or with tensor maps";
  const auto device = device::make_virtual_device();
  const InitReport report = init(file, {}, *device);
  for (const GuessedContract& guessed : report.contracts) {
    ASSERT_EQ(guessed.no_contract, "");
    ASSERT_FALSE(guessed.draft.operation);
    ASSERT_EQ(guessed.not_compiled, "");
    const std::vector<std::string> needed = least_edits(guessed, written);
    EXPECT_LE(needed.size(), most_edits(GetParam()))
        << fmt::format("{}", fmt::join(needed, ", ")) << '\n'
        << to_toml(guessed.draft);
    const bool passes = guessed.report && guessed.report->findings.empty();
    std::cout << fmt::format("| `{}` | {} | {} | {} | {} | {:.1f} |\n",
                             fs::path(GetParam()).stem().string(), needed.size(),
                             fmt::join(needed, ", "), passes ? "passes" : "fails", guessed.tried,
                             report.seconds);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, InitMeasure, testing::ValuesIn(files_with_contract()), test_name);

class InitTutorial : public testing::TestWithParam<std::string> {};

/// Files that init was not designed for: with main, cuBLAS, PyTorch, several instances.
TEST_P(InitTutorial, HasAContractThatPasses) {
  const fs::path file = fs::path(WARPCHECK_SOURCE_DIR) / GetParam();
  const auto device = device::make_virtual_device();
  const InitReport report = init(file, {}, *device);
  int products = 0;
  for (const GuessedContract& guessed : report.contracts) {
    if (!guessed.no_contract.empty() || guessed.draft.operation) continue;
    ++products;
    EXPECT_EQ(guessed.not_compiled, "");
    ASSERT_TRUE(guessed.report.has_value()) << to_toml(guessed.draft);
    EXPECT_TRUE(guessed.report->findings.empty()) << to_toml(guessed.draft);
    EXPECT_GE(guessed.report->cases, 16);
    std::cout << fmt::format("| `{}` | {} | {} | {:.1f} |\n{}",
                             fs::path(GetParam()).stem().string(), guessed.draft.kernel,
                             guessed.tried, report.seconds, to_toml(guessed.draft));
  }
  EXPECT_GE(products, 1);
}

INSTANTIATE_TEST_SUITE_P(Files, InitTutorial,
                         testing::ValuesIn(files_below("tests/workflows/init/tutorials", ".cu")),
                         test_name);

}  // namespace
}  // namespace warpcheck::workflows::init
