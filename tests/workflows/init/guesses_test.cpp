#include <gmock/gmock.h>

#include "base/diagnostic.hpp"
#include "base/files.hpp"
#include "base/process/temporary_folder.hpp"
#include "contract/contract.hpp"
#include "tests/workflows/init/edits.hpp"
#include "workflows/init/contract_file.hpp"
#include "workflows/init/draft/draft.hpp"
#include "workflows/init/draft/requires_probe.hpp"
#include "workflows/init/layout_guess.hpp"

namespace warpcheck::workflows::init {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LayoutGuess layout(const std::string& body,
                   const std::vector<std::string>& names = {"A", "B", "C", "M", "N", "K"},
                   const std::vector<std::string>& words = {"a", "b", "c", "m", "n", "k"}) {
  const auto tokens = contract::cpp_tokens(body);
  return guess_layout(tokens, "kernel", names, words);
}

TEST(LayoutGuess, FollowsTheExtentThatMultipliesAnIndex) {
  EXPECT_THAT(layout("s += A[row * K + i] * B[i * N + col]; C[row * N + col] = s;").column,
              ElementsAre(false, false, false));
  EXPECT_THAT(layout("s += A[row + M * i] * B[i + col * K]; C[row + col * M] = s;").column,
              ElementsAre(true, true, true));
  EXPECT_THAT(layout("s += A[(y + 1) * K + i] * B[(x + 1) * K + i];").column,
              ElementsAre(false, true, false));
}

TEST(LayoutGuess, FollowsTheNamesNextToALeadingDimension) {
  const std::vector<std::string> names = {"A", "lda", "B", "ldb", "C", "ldc", "m", "n"};
  const std::vector<std::string> words = {"a", "lda", "b", "ldb", "c", "ldc", "m", "n"};
  EXPECT_THAT(layout("A[i + p * lda] * B[p + j * ldb]; C[i + j * ldc]", names, words).column,
              ElementsAre(true, true, true));
  EXPECT_THAT(
      layout("A[row * lda + p] * B[p * ldb + col]; C[row * ldc + col]", names, words).column,
      ElementsAre(false, false, false));
}

TEST(LayoutGuess, ListsEachCombinationOnce) {
  const auto layouts = layouts_by_likelihood(layout("A[row * K + i]"));
  EXPECT_EQ(layouts.size(), 8U);
  EXPECT_THAT(layouts.front(), ElementsAre(false, false, false));
  EXPECT_EQ(std::set(layouts.begin(), layouts.end()).size(), 8U);
}

Draft draft() {
  Draft draft;
  draft.name = "mine";
  draft.kernel = "ns::mine<8>";
  draft.arguments = {"a", "b", "c", "m", "n", "k", "4"};
  draft.block = {"8", "8"};
  draft.grid = {"ceil_div(n, 8)", "m / 16"};
  draft.notes["grid"] = "guessed";
  return draft;
}

TEST(Draft, IsAValidContract) {
  Draft full = draft();
  full.column = {false, true, false};
  full.shared = 4096;
  full.split_k = 4;
  full.deterministic = false;
  full.tensor_cores = true;
  full.architecture = "sm_90a";
  full.requires_ = {"m % 8 == 0", "aligned(a, 16)"};
  const auto contracts = contract::parse_contracts(to_toml(full), {"draft", 1, 1});
  ASSERT_EQ(contracts.size(), 1U);
  EXPECT_EQ(contracts[0].layout_b, contract::Layout::column);
  EXPECT_EQ(contracts[0].split_k, 4);
  EXPECT_EQ(contracts[0].requires_.size(), 2U);
  EXPECT_THAT(to_toml(full), HasSubstr("\"m / 16\"]  # guessed\n"));
  EXPECT_THAT(to_toml(full), HasSubstr("\narch "));
}

TEST(TileSteps, AreReadFromTheGrid) {
  const TileSteps steps = tile_steps(draft(), {});
  EXPECT_EQ(steps.m, 16);
  EXPECT_EQ(steps.n, 8);
  EXPECT_EQ(steps.k, 16);
}

TEST(GridLimits, HoldForTheAxesAfterTheFirst) {
  EXPECT_THAT(grid_limits(draft()), ElementsAre("m <= 1048560"));
}

TEST(ContractFile, ReplacesTheEmbeddedContractOnly) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "mine.cu";
  write_file(file, "// first\n/* warpcheck\nold\n*/\n__global__ void f() {}\n");
  EXPECT_THROW(require_no_contract(file), InputError);
  embed_contract(file, "[[variant]]\n");
  EXPECT_EQ(read_file(file), "/* warpcheck\n[[variant]]\n*/\n// first\n__global__ void f() {}\n");
  embed_contract(file, "new\n");
  EXPECT_EQ(read_file(file), "/* warpcheck\nnew\n*/\n// first\n__global__ void f() {}\n");
}

TEST(ContractFile, IsNextToTheSource) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "mine.cu";
  write_file(file, "__global__ void f() {}\n");
  EXPECT_NO_THROW(require_no_contract(file));
  EXPECT_EQ(write_contract(file, "text\n"), (folder.path() / "mine.toml").string());
  EXPECT_EQ(read_file(folder.path() / "mine.toml"), "text\n");
  EXPECT_THROW(require_no_contract(file), InputError);
}

TEST(Edits, CountKeysByMeaning) {
  const auto parsed = [](const Draft& one) {
    return contract::parse_contracts(to_toml(one), {"draft", 1, 1}).front();
  };
  Draft other = draft();
  other.name = "another";
  other.grid = {"(n + 7) / 8", "m / 16"};
  EXPECT_TRUE(edits(parsed(draft()), parsed(other)).empty());
  other.grid = {"n", "m"};
  other.block = {"64"};
  other.requires_ = {"m == n"};
  EXPECT_THAT(edits(parsed(draft()), parsed(other)), ElementsAre("block", "grid", "requires"));
}

}  // namespace
}  // namespace warpcheck::workflows::init
