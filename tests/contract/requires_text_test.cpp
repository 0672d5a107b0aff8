#include "contract/read/requires_text.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace warpcheck::contract {
namespace {

using Requirements = std::vector<std::string>;

constexpr std::string_view kHead = R"toml(# The kernel of chapter 3.
[[variant]]
name      = "mine"
kernel    = "mine"
operation = "gemm"
arguments = ["a", "b", "c", "m", "n", "k"]
block     = [16, 16]
)toml";

std::string with_grid(std::string_view rest) {
  std::string text(kHead);
  text += "grid      = [\"ceil_div(n, 16)\", \"ceil_div(m, 16)\"]  # per tile\n";
  return text += rest;
}

TEST(RequiresText, ReplacesTheValueAndKeepsTheRest) {
  const std::string before = with_grid(
      "requires  = [  # ] in a comment\n  \"m % 8 == 0\", 'n % 8 == 0',\n] # limits\nsplit_k = "
      "1\n");
  const std::string after =
      with_grid("requires  = [\"k % 8 == 0\", \"aligned(b, 16)\"] # limits\nsplit_k = 1\n");
  EXPECT_EQ(with_requires(before, "mine", Requirements{"k % 8 == 0", "aligned(b, 16)"}), after);
}

TEST(RequiresText, AddsAnAbsentKeyAfterTheLastOne) {
  const std::string other = "\n[[variant]]\nname = \"other\"\n";
  EXPECT_EQ(with_requires(with_grid(other), "mine", Requirements{"k >= 4"}),
            with_grid("requires  = [\"k >= 4\"]\n" + other));
}

TEST(RequiresText, AddsTheKeyBeforeTheLaunches) {
  const std::string launch = "[[variant.launch]]\nkernel = \"one\"\n";
  const std::string begin = "[[variant]]\nname = \"mine\"\n";
  EXPECT_EQ(with_requires(begin + launch, "mine", Requirements{"k >= 4"}),
            begin + "requires = [\"k >= 4\"]\n" + launch);
}

TEST(RequiresText, ChangesOnlyTheNamedVariant) {
  const std::string text =
      "[[variant]]\nname = \"one\"\nrequires = [\"m == n\"]\n"
      "[[variant]]\nname = \"two\"\nrequires = [\"m == k\"]\n";
  EXPECT_EQ(with_requires(text, "two", Requirements{"n == k"}),
            "[[variant]]\nname = \"one\"\nrequires = [\"m == n\"]\n"
            "[[variant]]\nname = \"two\"\nrequires = [\"n == k\"]\n");
}

TEST(RequiresText, BreaksALineThatIsTooLong) {
  const Requirements many(9, "aligned(a, 16)");
  const std::string text = with_requires(with_grid(""), "mine", many);
  EXPECT_NE(text.find("requires  = [\n  \"aligned(a, 16)\",\n"), std::string::npos) << text;
}

TEST(RequiresText, OverridesTheDefaultByAnEmptyArray) {
  const std::string defaults = "[defaults]\nrequires = [\"m == n\"]\n";
  EXPECT_EQ(with_requires(with_grid(""), "mine", {}), with_grid(""));
  EXPECT_EQ(with_requires(defaults + with_grid(""), "mine", {}),
            defaults + with_grid("requires  = []\n"));
}

TEST(RequiresText, ChangesAContractInAComment) {
  const std::string begin = "// \xC3\xA4 kernel\n/* warpcheck\n";
  const std::string end = "*/\n__global__ void mine(const float* a) {}\n";
  KernelSource source;
  source.file = source.contract_file = "mine.cu";
  source.text = source.contract_text = begin + with_grid("") + end;
  EXPECT_EQ(contract_text_with_requires(source, "mine", Requirements{"k >= 4"}),
            begin + with_grid("requires  = [\"k >= 4\"]\n") + end);
}

}  // namespace
}  // namespace warpcheck::contract
