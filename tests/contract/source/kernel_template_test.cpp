#include "contract/source/kernel_template.hpp"

#include <gmock/gmock.h>

namespace warpcheck::contract {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(KernelTemplates, ParametersAndInstancesAreFound) {
  const auto found = kernel_template(
      "template <int T, class Element = float>\n"
      "__global__ void __launch_bounds__(T * T) tile(Element* c) { *c = T; }\n"
      "void run(float* c) { tile<8><<<1, 1>>>(c); tile<4, double><<<1, 1>>>(0); tile<8><<<2, "
      "1>>>(c); }",
      "tile");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->parameters, "int T, class Element = float");
  EXPECT_THAT(found->instances, ElementsAre("tile<8>", "tile<4, double>"));
  EXPECT_FALSE(found->is_overloaded);
}

TEST(KernelTemplates, ScopeOfTheNameIsIgnored) {
  const auto found = kernel_template(
      "namespace ns { template <int T> __global__ void tile(float* c); }", "ns::tile");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->parameters, "int T");
  EXPECT_THAT(found->instances, IsEmpty());
}

TEST(KernelTemplates, OtherDeclarationsAreNone) {
  EXPECT_FALSE(kernel_template("template <int T> __device__ void tile(float* c);", "tile"));
  EXPECT_FALSE(
      kernel_template("template <int T> struct S {}; __global__ void tile(float*);", "tile"));
  EXPECT_FALSE(kernel_template("template <int T> __global__ void other(float* c);", "tile"));
  EXPECT_FALSE(kernel_template("template <", "tile"));
  EXPECT_FALSE(kernel_template("", ""));
}

TEST(KernelTemplates, SecondTemplateOfANameIsAnOverload) {
  const auto found = kernel_template(
      "template <int T> __global__ void tile(float* c); template <int T> __global__ void "
      "tile(int);",
      "tile");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_overloaded);
}

}  // namespace
}  // namespace warpcheck::contract
