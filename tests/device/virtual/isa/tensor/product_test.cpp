// Products of matrices, compiled by nvcc.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

std::string compiled(const std::string& name) {
  std::ifstream stream(WARPCHECK_SOURCE_DIR "/tests/device/virtual/isa/compiled/" + name);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Random integers from -2 to 2.
std::vector<int> small_integers(std::size_t size, std::mt19937& random) {
  std::uniform_int_distribution<int> values(-2, 2);
  std::vector<int> result(size);
  for (int& value : result) value = values(random);
  return result;
}

void append_halves(std::vector<std::byte>& bytes, const std::vector<int>& values) {
  std::vector<std::uint16_t> halves;
  for (const int value : values) {
    constexpr std::uint16_t kOfMinusTwoOn[] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000};
    halves.push_back(kOfMinusTwoOn[value + 2]);
  }
  const std::vector<std::byte> more = bytes_of(halves);
  bytes.insert(bytes.end(), more.begin(), more.end());
}

TEST(Product, FragmentsMayBeChangedByElement) {
  std::mt19937 random(1);
  const std::vector<int> a = small_integers(256, random);
  const std::vector<int> b = small_integers(256, random);  // column after column
  const std::vector<int> c = small_integers(256, random);
  std::vector<std::byte> in;
  append_halves(in, a);
  append_halves(in, b);
  const std::vector<std::byte> added = bytes_of(std::vector<float>(c.begin(), c.end()));
  in.insert(in.end(), added.begin(), added.end());
  const Result result = run_module(compiled("fragments.sm_80.ptx"), in, 1024);
  ASSERT_EQ(result.finding(), "");
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t column = 0; column < 16; ++column) {
      int sum = 3 * c[16 * row + column];
      for (std::size_t k = 0; k < 16; ++k) sum += 2 * a[16 * row + k] * b[16 * column + k];
      EXPECT_EQ(result.at<float>(16 * row + column), static_cast<float>(sum));
    }
  }
}

TEST(Product, TilesPassThroughSharedMemoryAsMatrices) {
  std::mt19937 random(2);
  const std::vector<int> a = small_integers(256, random);
  const std::vector<int> b = small_integers(128, random);
  std::vector<std::byte> in;
  append_halves(in, a);
  append_halves(in, b);
  const Result result = run_module(compiled("tiles.sm_80.ptx"), in, 512);
  ASSERT_EQ(result.finding(), "");
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t column = 0; column < 8; ++column) {
      int sum = 0;
      for (std::size_t k = 0; k < 16; ++k) sum += a[16 * row + k] * b[8 * k + column];
      EXPECT_EQ(result.at<float>(8 * row + column), static_cast<float>(sum));
    }
  }
}

}  // namespace
}  // namespace warpcheck::isa::test
