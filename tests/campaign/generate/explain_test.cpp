#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "campaign/generate/data/data.hpp"

namespace warpcheck::campaign::generate {
namespace {

// Wrong kernels on a onehot case of 6 x 8 x 9. The tests compute the element of D term by term with
// one wrong index. The explanation must contain that index.
struct Probe {
  Case line;
  Data data;

  explicit Probe(std::uint64_t seed, double alpha = 1.0, double beta = 0.0)
      : line(make(seed, alpha, beta)), data(line) {}

  static Case make(std::uint64_t seed, double alpha, double beta) {
    Case line;
    line.set_value("m", 6);
    line.set_value("n", 8);
    line.set_value("k", 9);
    line.set_value("alpha", alpha);
    line.set_value("beta", beta);
    line.data = Recipe::onehot;
    line.seed = seed;
    return line;
  }

  [[nodiscard]] std::int64_t hot_in_row(std::int64_t row) const {
    for (std::int64_t k = 0; k < line.whole("k"); ++k) {
      if (data.element(Operand::a, row, k) == 1.0) return k;
    }
    return -1;
  }

  /// Returns row `row_a` of A times column `column_b` of B, with the row index of B off by `shift`.
  [[nodiscard]] double product(std::int64_t row_a, std::int64_t column_b,
                               std::int64_t shift = 0) const {
    double sum = 0.0;
    for (std::int64_t k = 0; k < line.whole("k"); ++k) {
      sum += data.element(Operand::a, row_a, k) *
             data.element(Operand::b, (k + shift) % line.whole("k"), column_b);
    }
    return sum;
  }

  [[nodiscard]] double d(double sum, std::int64_t row, std::int64_t column) const {
    return line.number("alpha") * sum +
           (line.number("beta") == 0.0
                ? 0.0
                : line.number("beta") * data.element(Operand::c, row, column));
  }
};

std::string number(std::int64_t value) { return std::to_string(value); }

TEST(Explain, CorrectElementHasNoExplanation) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Probe probe(seed, -1.0, 1.0);
    EXPECT_EQ(probe.data.explain(3, 5, probe.d(probe.product(3, 5), 3, 5)), "");
  }
}

TEST(Explain, WrongColumnOfBIsReported) {
  const Probe probe(2);  // even: A is one-hot
  const std::string k = number(probe.hot_in_row(3));
  EXPECT_EQ(probe.data.explain(3, 5, probe.product(3, 6)),
            "C[3, 5] holds A[3, " + k + "] * B[" + k + ", 6]: column 6 of B was read for column 5");
}

TEST(Explain, AlphaAndBetaAreRemoved) {
  const Probe probe(2, -2.0, 3.0);
  const std::string k = number(probe.hot_in_row(3));
  EXPECT_EQ(probe.data.explain(3, 5, probe.d(probe.product(3, 6), 3, 5)),
            "C[3, 5] holds A[3, " + k + "] * B[" + k + ", 6]: column 6 of B was read for column 5");
}

TEST(Explain, BothPossibleRowsAreReported) {
  const Probe probe(2);
  const std::int64_t right = probe.hot_in_row(3);
  const std::int64_t read = probe.hot_in_row(2);
  EXPECT_EQ(probe.data.explain(3, 5, probe.product(2, 5)),
            "C[3, 5] holds B[" + number(read) + ", 5] where B[" + number(right) +
                ", 5] belongs: row " + number(read) + " of B was read for row " + number(right) +
                ", or row 2 of A for row 3");
  const std::int64_t next = (right + 1) % 9;
  const std::string text = probe.data.explain(3, 5, probe.product(3, 5, 1));
  EXPECT_EQ(
      text.find("C[3, 5] holds B[" + number(next) + ", 5] where B[" + number(right) +
                ", 5] belongs: row " + number(next) + " of B was read for row " + number(right)),
      0U);
}

TEST(Explain, WrongRowOfAIsReported) {
  const Probe probe(3);  // odd: B is one-hot
  const std::string text = probe.data.explain(3, 5, probe.product(4, 5));
  EXPECT_NE(text.find("row 4 of A was read for row 3"), std::string::npos) << text;
}

TEST(Explain, LostAndRepeatedTermsAreReported) {
  const Probe probe(2);
  const std::string k = number(probe.hot_in_row(3));
  EXPECT_EQ(probe.data.explain(3, 5, 0.0),
            "C[3, 5] lacks A[3, " + k + "] * B[" + k + ", 5]: the term k = " + k + " was left out");
  EXPECT_EQ(probe.data.explain(3, 5, 2.0 * probe.product(3, 5)),
            "C[3, 5] holds A[3, " + k + "] * B[" + k + ", 5] twice: the term k = " + k +
                " was counted again");
}

TEST(Explain, AmbiguousValueHasNoExplanation) {
  const Probe probe(2, 1.0, 1.0);
  // Another element of C: its quarters are no code.
  for (std::int64_t j = 0; j < 8; ++j) {
    const double misread = probe.product(3, 5) + probe.data.element(Operand::c, 3, j);
    EXPECT_EQ(probe.data.explain(3, 5, misread), "");
  }
  EXPECT_EQ(probe.data.explain(3, 5, NAN), "");
  EXPECT_EQ(probe.data.explain(3, 5, 1e9), "");
  Case other = probe.line;
  other.data = Recipe::lattice;
  EXPECT_EQ(Data(other).explain(3, 5, 7.0), "");
}

}  // namespace
}  // namespace warpcheck::campaign::generate
