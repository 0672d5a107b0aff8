#include "workflows/init/source/host_expression.hpp"

#include <gtest/gtest.h>

#include "tests/workflows/init/written_source.hpp"

namespace warpcheck::workflows::init {
namespace {

constexpr const char* kHost = R"cu(
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
#define BLOCK 16
constexpr int kTile = BLOCK * 2;
inline unsigned cdiv(unsigned a, unsigned b) { return (a + b - 1) / b; }
enum { WARP = 32, HALF = WARP / 2 };
void run() {
  dim3 threads(BLOCK, 8), second{4};
  dim3 grid((N + threads.x - 1) / threads.x, CEIL_DIV(M, kTile));
  dim3 assigned;
  const int blocks = (M - 1) / 64 + 1;
}
)cu";

class HostExpressions : public testing::Test {
 protected:
  HostExpressions() : scope_(*source_) {
    scope_.define((*source_).main.tokens);
    scope_.bind("M", "m");
    scope_.bind("N", "n");
    scope_.bind("A.size(0)", "m");
  }

  [[nodiscard]] std::string text(std::string_view expression) const {
    const HostValue value = scope_.value(expression);
    return value ? to_text(*value) : "unknown";
  }

  WrittenSource source_{kHost};
  HostScope scope_;
};

TEST_F(HostExpressions, AreFolded) {
  EXPECT_EQ(text("kTile * sizeof(float) + 0x10u"), "144");
  EXPECT_EQ(text("HALF << 2"), "64");
  EXPECT_EQ(text("(int)32.0f"), "32");
  EXPECT_EQ(text("1 ? 2 : 3"), "2");
}

TEST_F(HostExpressions, RoundUpInEveryCommonSpelling) {
  for (const char* spelling :
       {"(N + BLOCK - 1) / BLOCK", "(N + 15) / 16", "(BLOCK - 1 + N) / BLOCK", "CEIL_DIV(N, 16)",
        "cdiv(N, BLOCK)", "(N - 1) / 16 + 1", "N / 16 + (N % 16 != 0)", "N / 16 + (N % 16 ? 1 : 0)",
        "(N + 15) >> 4", "std::ceil((float)N / 16)", "ceil(N / 16.0)",
        "static_cast<unsigned>((N + 15) / 16)", "div_up(N, 16)"}) {
    EXPECT_EQ(text(spelling), "ceil_div(n, 16)") << spelling;
  }
}

TEST_F(HostExpressions, KeepOtherDivisionsAsTheyAre) {
  EXPECT_EQ(text("N / 16"), "n / 16");
  EXPECT_EQ(text("(N + 16) / 16"), "(n + 16) / 16");
  EXPECT_EQ(text("M * N / (kTile - 1)"), "m * n / 31");
  EXPECT_EQ(text("M - (N - M)"), "m - (n - m)");
  EXPECT_EQ(text("std::max(M, N)"), "max(m, n)");
  EXPECT_EQ(text("A.size(0) / 2"), "m / 2");
}

TEST_F(HostExpressions, AreUnknownIfANameIs) {
  for (const char* unknown :
       {"x", "N + x", "f(N)", "N / 0", "\"N\"", "N +", "M < N", "(N", "0.5"}) {
    EXPECT_EQ(text(unknown), "unknown") << unknown;
  }
}

TEST_F(HostExpressions, OfMacrosThatUseEachOtherAreUnknown) {
  const WrittenSource source("#define X Y\n#define Y X\n#define F(x) F(x)\n");
  const HostScope scope(*source);
  EXPECT_EQ(scope.value("X + 1"), nullptr);
  EXPECT_EQ(scope.value("F(1)"), nullptr);
}

TEST_F(HostExpressions, ReadExtents) {
  const auto extents = [&](std::string_view expression) {
    std::string joined;
    const std::vector<Token> tokens = contract::cpp_tokens(expression);
    for (const HostValue& value : scope_.extents(tokens)) {
      joined += (joined.empty() ? "" : " | ") + (value ? to_text(*value) : std::string("unknown"));
    }
    return joined;
  };
  EXPECT_EQ(extents("threads"), "16 | 8");
  EXPECT_EQ(extents("second"), "4");
  EXPECT_EQ(extents("grid"), "ceil_div(n, 16) | ceil_div(m, 32)");
  EXPECT_EQ(extents("dim3(blocks, x)"), "ceil_div(m, 64) | unknown");
  EXPECT_EQ(extents("{2, 3}"), "2 | 3");
  EXPECT_EQ(extents("256"), "256");
}

}  // namespace
}  // namespace warpcheck::workflows::init
