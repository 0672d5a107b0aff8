#include "workflows/init/source/kernels_in_source.hpp"

#include <gmock/gmock.h>

#include "tests/workflows/init/written_source.hpp"
#include "workflows/init/source/template_arguments.hpp"

namespace warpcheck::workflows::init {
namespace {

using testing::ElementsAre;

constexpr const char* kLaunches = R"cu(
template <typename T, int S> __global__ void k(T* a, int n) { }
template __global__ void k<double, 4>(double*, int);
constexpr int kSize = 8;
template <typename T> void launch(T* a, int n) { k<T, 2 * kSize><<<n, S, 0, stream>>>(a, n); }
void f(float* a) {
  const char* text = "k<<<1, 1>>>(a, 1)";
  k<float, kSize><<<dim3(1, 2), 32>>>(a, 7);
  k<float, 8><<<2, 32>>>(a, 9);
}
)cu";

TEST(Launches, AreFoundWithTheirConfiguration) {
  const WrittenSource source(kLaunches);
  const auto launches = launches_in(*source);
  ASSERT_EQ(launches.size(), 3U);
  EXPECT_EQ(launches[0].kernel, "k");
  EXPECT_EQ(launches[0].configuration.size(), 4U);
  EXPECT_THAT(launches[1].templates, ElementsAre("float", "kSize"));
  EXPECT_EQ(to_text(launches[1].arguments[1]), "7");
  EXPECT_EQ(launches[1].line, 8U);
}

TEST(Instances, ComeFromLaunchesAndExplicitInstantiations) {
  const WrittenSource source(kLaunches);
  const auto kernels = kernels_in(*source);
  ASSERT_EQ(kernels.size(), 1U);
  const auto launches = launches_in(*source);
  std::vector<std::string> found;
  for (const Instance& instance : instances_of(kernels[0], *source, launches)) {
    found.push_back(instance_name(kernels[0], instance));
  }
  EXPECT_THAT(found, ElementsAre("k<float, 16>", "k<float, 8>", "k<double, 4>"));
}

TEST(Instances, AreGuessedWithoutALaunch) {
  const WrittenSource source(
      "template <int TILE, int PAD, bool T> __global__ void k(float* a) {}\n");
  const auto kernels = kernels_in(*source);
  const auto instances = instances_of(kernels.at(0), *source, {});
  ASSERT_EQ(instances.size(), 1U);
  EXPECT_EQ(instance_name(kernels[0], instances[0]), "k<32, 1, false>");
  EXPECT_EQ(variant_name(kernels[0], instances[0]), "k32_1_false");
  EXPECT_THAT(instances[0].note, testing::HasSubstr("guessed"));
}

TEST(KernelsInSource, DoNotBreakOnDamagedText) {
  const std::string text = kLaunches;
  for (std::size_t length = 0; length <= text.size(); length += 7) {
    const WrittenSource source(text.substr(0, length));
    for (const KernelDeclaration& kernel : kernels_in(*source)) {
      (void)instances_of(kernel, *source, launches_in(*source));
    }
  }
}

}  // namespace
}  // namespace warpcheck::workflows::init
