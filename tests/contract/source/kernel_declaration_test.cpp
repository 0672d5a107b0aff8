#include "contract/source/kernel_declaration.hpp"

#include <gmock/gmock.h>

namespace warpcheck::contract {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const KernelDeclaration& kernel) {
  std::vector<std::string> result;
  for (const KernelParameter& parameter : kernel.parameters) result.push_back(parameter.name);
  return result;
}

TEST(KernelDeclarations, AreFoundWithScopesBoundsAndParameters) {
  const std::vector<CppToken> tokens = cpp_tokens(R"cu(
namespace outer { namespace { int x; }
template <typename T, int N = 8, bool = true>
static __global__ void __launch_bounds__(N * 32, 2) first(const T* __restrict__ a, float b[], unsigned long long n) {
  if (n) { a; }
}
}  // namespace outer
// __global__ void in_comment(int a) {}
__global__ void declared(int a);
extern "C" __global__ void second(void) {}
)cu");
  const auto kernels = kernel_declarations(tokens);
  ASSERT_EQ(kernels.size(), 3U);
  EXPECT_EQ(kernels[0].qualified, "outer::first");
  EXPECT_EQ(kernels[0].bounds_text, "N*32");
  EXPECT_THAT(names(kernels[0]), ElementsAre("a", "b", "n"));
  EXPECT_TRUE(kernels[0].parameters[1].is_pointer());
  ASSERT_EQ(kernels[0].templates.size(), 3U);
  EXPECT_EQ(kernels[0].templates[1].value, "8");
  EXPECT_TRUE(kernels[0].is_definition);
  EXPECT_EQ(kernels[1].qualified, "declared");
  EXPECT_FALSE(kernels[1].is_definition);
  EXPECT_EQ(kernels[2].qualified, "second");
  EXPECT_THAT(kernels[2].parameters, IsEmpty());
}

TEST(KernelNames, AreThoseAfterGlobalAndItsAttributes) {
  EXPECT_THAT(kernel_names(R"(
template <int T>
__global__ void __launch_bounds__(T * (32), 2) sgemm(const float* a);
__global__ void __launch_bounds__(256)
    tiled (float* c) { helper(c); }
extern "C" __global__ void
plain(float (*pointer)(int)) {}
__global__ __attribute__((used)) void attributed() {}
__global__ void plain(int);
__device__ void helper(float*);
)"),
              ElementsAre("sgemm", "tiled", "plain", "attributed"));
  EXPECT_THAT(kernel_names("__global__"), IsEmpty());
  EXPECT_THAT(kernel_names("__global__ void f"), IsEmpty());
  EXPECT_THAT(kernel_names("__global__ __launch_bounds__("), IsEmpty());
}

TEST(KernelLocation, IsWhereTheNameFollowsGlobal) {
  EXPECT_EQ(kernel_location("// sgemm\n__global__ void sgemm(float* c) {}\n", "sgemm").line, 2U);
}

TEST(KernelLocation, SkipsCommentsCallsAndLongerNames) {
  const char* source =
      "/* __global__ void sgemm\n*/\n__device__ void sgemm_part();\n"
      "__global__ void sgemm_wide() { sgemm_part(); }\n"
      "template <int tile>\n__global__ void __launch_bounds__(256)\n    sgemm(float* c) {}\n";
  EXPECT_EQ(kernel_location(source, "ns::sgemm<32>").line, 7U);
}

TEST(KernelLocation, IsThatOfTheDefinitionIfThereIsOne) {
  const Location found =
      kernel_location("__global__ void f(int);\n  __global__ void f(int) {}\n", "f");
  EXPECT_EQ(found.line, 2U);
  EXPECT_EQ(found.column, 19U);
  EXPECT_EQ(kernel_location("__global__ void f(int);\n", "f").line, 1U);
}

TEST(KernelLocation, IsFoundAfterBranchesOfDirectives) {
  const char* source =
      "#if A\n__global__ void f(int) {\n#else\n__global__ void f(float) {\n#endif\n}\n"
      "__global__ void g() {}\n";
  EXPECT_EQ(kernel_location(source, "g").line, 7U);
}

TEST(KernelLocation, IsZeroWithoutADefinition) {
  EXPECT_EQ(kernel_location("void sgemm() {}\n", "sgemm").line, 0U);
  EXPECT_EQ(kernel_location("", "sgemm").line, 0U);
  EXPECT_EQ(kernel_location("__global__ void sgemm", "").line, 0U);
}

}  // namespace
}  // namespace warpcheck::contract
