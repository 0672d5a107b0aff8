// `warpcheck diff`: two kernels on the same cases.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/tool/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Half-precision products under a contract whose bound allows f16 sums; the sums are kept in
/// `sum`.
std::string product_of_halves(const std::string& name, const std::string& sum) {
  std::string text =
      replaced(right_kernel(name), "a = \"f32\", b = \"f32\"", "a = \"f16\", b = \"f16\"");
  text = replaced(text, "accumulate = \"f32\"", "accumulate = \"f16\"");
  text = replaced(text, "__global__", "#include <cuda_fp16.h>\n__global__");
  text = replaced(text, "const float* a, const float* b", "const __half* a, const __half* b");
  text = replaced(text, "float sum = 0.0f", sum + " sum = 0.0f");
  return replaced(text, "sum += a[row * k + i] * b[i * n + column]",
                  "sum = float(sum) + float(a[row * k + i]) * float(b[i * n + column])");
}

class Diff : public testing::Test {
 protected:
  [[nodiscard]] Result diff(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"diff", "--device", "virtual", "--json", "report.json"});
    return scratch_.run(arguments);
  }

  [[nodiscard]] json event() const { return json::parse(scratch_.read("report.json")); }

  Scratch scratch_;
};

TEST_F(Diff, HalvesWhereFloatsWereAreFoundThoughBothPass) {
  const std::string old_file = scratch_.write("old.cu", product_of_halves("product", "float"));
  const std::string new_file = scratch_.write("new.cu", product_of_halves("product", "__half"));
  const Result result = diff({old_file, new_file, "--cases", "40"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("new is markedly less accurate, though both pass\n"));
  const json found = event();
  EXPECT_EQ(found["old"]["verdict"], "pass");
  EXPECT_EQ(found["new"]["verdict"], "pass");
  EXPECT_EQ(found["drift"], true);
  // Sums in f32 of products of halves err by 2^-24, those in f16 by 2^-11.
  EXPECT_LT(found["old"]["largest_error"], 1e-3);
  EXPECT_GT(found["new"]["largest_error"], 0.1);
  EXPECT_LE(found["new"]["largest_error"], 1.0);
  EXPECT_GT(found["differing"], 0);
  // One product of two halves takes more digits than a half has.
  EXPECT_THAT(found["smallest"]["case"].get<std::string>(),
              HasSubstr("product m=1 n=1 k=1 alpha=1 beta=0 data="));
}

TEST_F(Diff, AKernelIsTheSameAsItself) {
  const std::string file = scratch_.write("right.cu", right_kernel("right"));
  const Result result = diff({file, file, "--bits", "--cases", "20"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("D is the same, bit for bit, on all "));
  const json found = event();
  EXPECT_EQ(found["differing"], 0);
  EXPECT_EQ(found["drift"], false);
  EXPECT_EQ(found["old"]["cost"], found["new"]["cost"]);
  EXPECT_GT(found["old"]["cost"]["global_sectors"], 0);
}

}  // namespace
}  // namespace warpcheck::tool
