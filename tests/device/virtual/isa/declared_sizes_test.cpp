// Modules that declare more memory than a GPU has. The limits are those at which ptxas 13 refuses a
// module, and those of the CUDA C++ Programming Guide where ptxas drops the upper bits of a size.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <random>

#include "base/diagnostic.hpp"
#include "tests/base/time_factor.hpp"
#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kNone = "";

/// The finding of a kernel that stores 7 after `body`.
std::string finding(std::string_view declarations, std::string_view body = kNone,
                    std::string_view functions = kNone) {
  return run(fmt::format("{} {} st.global.u32 [%own], 7;", declarations, body), {}, {}, functions)
      .finding();
}

std::string shared_array(std::uint64_t bytes) { return fmt::format(".shared .b8 s[{}];", bytes); }

TEST(DeclaredSizes, StaticSharedMemoryIsAtMost48KiB) {
  EXPECT_EQ(finding(shared_array(49152)), "");
  EXPECT_EQ(finding(shared_array(49153)),
            "launch-failure: the static shared memory of a block takes 49153 bytes; at most 49152 "
            "are possible, larger blocks need dynamic shared memory");
}

TEST(DeclaredSizes, SharedVariablesOfTheModuleCountIfNamed) {
  const std::string module = ".shared .b8 a[30000]; .shared .b8 b[30000];";
  EXPECT_EQ(finding("", "mov.u64 %d1, a;", module), "");
  EXPECT_THAT(finding("", "mov.u64 %d1, a; mov.u64 %d2, b;", module),
              HasSubstr("takes 60000 bytes"));
  EXPECT_THAT(finding("", "ld.shared.u8 %r1, [a+3]; st.shared.u8 [b], %r1;", module),
              HasSubstr("takes 60000 bytes"));
}

TEST(DeclaredSizes, SharedVariablesOfCalledFunctionsCount) {
  const std::string functions =
      ".func g { .shared .b8 s[30000]; ret; } .func h { .shared .b8 s[30000]; ret; }\n"
      ".func i { .shared .b8 s[30000]; call g; ret; }";
  // g and h are not active at the same time.
  EXPECT_EQ(finding("", "call g; call h;", functions), "");
  EXPECT_THAT(finding("", "call i;", functions), HasSubstr("takes 60000 bytes"));
}

TEST(DeclaredSizes, OtherKernelsOfTheModuleMayBeTooLarge) {
  const std::string others =
      ".shared .b8 huge[1099511627776];\n"
      ".visible .entry g() { .shared .b8 s[1099511627776]; ret; }\n"
      ".visible .entry h() { .reg .b64 %d; mov.u64 %d, huge; ret; }\n"
      ".visible .entry i() { .local .b8 l[1099511627776]; ret; }\n"
      ".visible .entry j(.param .b8 p[1099511627776]) { ret; }";
  EXPECT_EQ(finding("", "", others), "");
}

TEST(DeclaredSizes, LocalMemoryOfAThreadIsAtMost512KiB) {
  EXPECT_EQ(finding(".local .b8 l[524288];"), "");
  EXPECT_EQ(finding(".local .b8 l[524289];"),
            "launch-failure: the local memory of a thread takes 524289 bytes; at most 524288 are "
            "possible");
  EXPECT_THAT(finding("", "call g;", ".func g { .local .b8 l[1099511627776]; ret; }"),
              StartsWith("launch-failure: the local memory"));
}

TEST(DeclaredSizes, ConstantMemoryIsAtMost64KiB) {
  EXPECT_EQ(finding("", "", ".const .b8 c[65536];"), "");
  EXPECT_EQ(
      finding("", "", ".const .b8 c[65536]; .const .b8 d;"),
      "launch-failure: the constant memory of the module takes 65537 bytes; at most 65536 are "
      "possible");
}

TEST(DeclaredSizes, GlobalMemoryIsBelow4GiB) {
  EXPECT_EQ(finding("", "", ".global .b8 g[68719476736];"),
            "launch-failure: the global memory of the module takes 68719476736 bytes; at most "
            "4294967295 are possible");
  EXPECT_THAT(finding("", "", ".global .b8 g[2147483648]; .global .b8 h[2147483648] = {1, 2};"),
              StartsWith("launch-failure: the global memory"));
}

TEST(DeclaredSizes, LargeGlobalVariableIsZeroAndDefined) {
  const Result result =
      run("ld.global.u32 %r1, [g+4294967288]; ld.global.u32 %r2, [g]; add.u32 %r1, %r1, %r2;\n"
          "st.global.u32 [g+2147483648], 5; ld.global.u32 %r3, [g+2147483648];\n"
          "add.u32 %r1, %r1, %r3; st.global.u32 [%own], %r1;",
          {}, {.block = {1, 1, 1}}, ".global .align 4 .b8 g[4294967292] = {3};");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::uint32_t>(0), 8U);
}

TEST(DeclaredSizes, KernelParametersAreAtMost32764Bytes) {
  const auto module = [](std::string_view version, std::uint64_t bytes) {
    return fmt::format(
        ".version {}\n.target sm_80\n.address_size 64\n"
        ".visible .entry f(.param .u64 a, .param .b8 b[{}]) {{ ret; }}",
        version, bytes - 8);
  };
  const auto refusal = [&](std::string_view version, std::uint64_t bytes) {
    return run_module(module(version, bytes), {}, 8).finding();
  };
  EXPECT_THAT(refusal("8.1", 32765), HasSubstr("takes 32765 bytes; at most 32764 are possible"));
  EXPECT_THAT(refusal("8.0", 4353), HasSubstr("takes 4353 bytes; at most 4352 are possible"));
  EXPECT_THAT(refusal("8.1", std::uint64_t{1} << 40), HasSubstr("list of kernel parameters"));
  // The arguments of this launch do not fit, but the size is possible.
  EXPECT_THAT(refusal("8.1", 32764), HasSubstr("the arguments do not fit"));
}

TEST(DeclaredSizes, RegistersThatNothingNamesTakeNoMemory) {
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(run(".reg .b64 %unused<200000>; st.global.u32 [%own], 7;", {}, {.block = {1024, 1, 1}})
                .finding(),
            "");
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  // KiB. All of them would take 51 MB for each of the 32 warps.
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 500'000);
}

TEST(DeclaredSizes, AlignmentTakesNoMemory) {
  EXPECT_EQ(finding(".shared .align 1073741824 .b8 s[4]; .shared .align 1073741824 .b8 t[4];"), "");
  EXPECT_EQ(finding("", "", ".global .align 1073741824 .b8 g[4];"), "");
}

/// Declarations of random spaces, alignments and sizes around powers of two.
class RandomDeclarations {
 public:
  explicit RandomDeclarations(unsigned seed) : random_(seed) {}

  std::string list(std::string_view space, std::string_view prefix) {
    std::string text;
    for (unsigned i = 0; i < 1 + random_() % 3; ++i) {
      text += fmt::format(".{} .align {} .b{} {}{}", space, 1U << random_() % 31,
                          8U << random_() % 4, prefix, i);
      for (unsigned level = 0; level < random_() % 3; ++level) text += fmt::format("[{}]", size());
      text += ";\n";
    }
    return text;
  }

  std::string module() {
    return module_text(fmt::format(
        "{}{}{}.func g {{ {}{} ret; }}\n.visible .entry f(.param .u64 a, .param .u64 b) {{\n"
        ".reg .b64 %r<{}>;\n{}{} mov.u64 %r0, s0; mov.u64 %r0, m0; call g; ret; }}",
        list("global", "v"), list("const", "c"), list("shared", "m"), list("shared", "t"),
        list("local", "k"), 1 + size() % 5000, list("shared", "s"), list("local", "l")));
  }

 private:
  std::uint64_t size() {
    const std::uint64_t two_to_the = std::uint64_t{1} << random_() % (random_() % 4 == 0 ? 42 : 10);
    return std::max<std::uint64_t>(two_to_the + random_() % 3 - 1, 1);
  }

  std::mt19937 random_;
};

TEST(DeclaredSizes, NoSizeCrashesTheLoader) {
  const auto begin = std::chrono::steady_clock::now();
  int refused = 0;
  int completed = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::string module = RandomDeclarations(seed).module();
    SCOPED_TRACE(module);
    try {
      const std::string found = run_module(module, {}, 8).finding();
      EXPECT_THAT(found, testing::AnyOf("", StartsWith("launch-failure")));
      ++(found.empty() ? completed : refused);
    } catch (const InputError&) {  // more than the parser accepts
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(completed, 3);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(seconds.count(), 60.0 * kTimeFactor);
}

}  // namespace
}  // namespace warpcheck::isa::test
