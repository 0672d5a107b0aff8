// Replays sums of wgmma.mma_async that an H200 computed, as record.cu recorded them: all fragments
// of sm_90/wgmma.txt, or of the file that WARPCHECK_WGMMA_FRAGMENTS names. They decide the model of
// the tensor cores for wgmma: f16, bf16 and tf32 as in mma.sync of sm_90; 8-bit types in one block
// of 32 products with 13 bits below the largest exponent, of which f32 results keep 13.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "device/virtual/semantics/tensor.hpp"

namespace warpcheck::golden::wgmma {
namespace {

using semantics::MmaAccumulator;
using semantics::MmaInput;

constexpr int kRows = 64;
constexpr int kColumns = 8;
constexpr int kHalf = kRows / 2;  // mma() takes shapes of up to 32 rows
constexpr int kBytesOfK = 32;

template <class T>
using Matrix = std::vector<T>;  // row-major

/// One fragment: d = a * b^T + c.
struct Fragment {
  std::string form;  // "f32.e4m3.e5m2"
  std::string a, b, c, d;
};

const std::vector<Fragment>& fragments() {
  static const std::vector<Fragment> all = [] {
    const char* given = std::getenv("WARPCHECK_WGMMA_FRAGMENTS");
    std::ifstream file(given != nullptr ? given
                                        : WARPCHECK_SOURCE_DIR "/tests/golden/sm_90/wgmma.txt");
    std::vector<Fragment> found;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string key;
      std::string value;
      words >> key >> value;
      if (key == "form") found.push_back({value, {}, {}, {}, {}});
      if (key == "a") found.back().a = value;
      if (key == "b") found.back().b = value;
      if (key == "c") found.back().c = value;
      if (key == "d") found.back().d = value;
    }
    return found;
  }();
  return all;
}

/// The elements of `bytes` bytes that a line of hexadecimal bytes holds.
Matrix<std::uint32_t> elements(const std::string& line, std::size_t bytes) {
  Matrix<std::uint32_t> all(line.size() / 2 / bytes);
  for (std::size_t i = 0; i < line.size() / 2; ++i) {
    const auto byte = static_cast<std::uint32_t>(std::stoul(line.substr(2 * i, 2), nullptr, 16));
    all[i / bytes] |= byte << 8 * (i % bytes);
  }
  return all;
}

/// The types of a form: D, A and B.
std::array<std::string, 3> types_of(const std::string& form) {
  std::array<std::string, 3> types;
  std::istringstream text(form);
  for (std::string& type : types) std::getline(text, type, '.');
  return types;
}

std::size_t bytes_of(const std::string& type) {
  if (type == "tf32" || type == "f32" || type == "s32") return 4;
  return type == "f16" || type == "bf16" ? 2 : 1;
}

template <class T>
Matrix<T> transposed(const Matrix<T>& b, int k) {
  Matrix<T> result(b.size());
  for (int column = 0; column < kColumns; ++column) {
    for (int p = 0; p < k; ++p) {
      result[static_cast<std::size_t>(p * kColumns + column)] =
          b[static_cast<std::size_t>(column * k + p)];
    }
  }
  return result;
}

Matrix<std::uint32_t> real_product(const Fragment& fragment) {
  const std::map<std::string, MmaInput> inputs = {{"f16", MmaInput::f16},
                                                  {"bf16", MmaInput::bf16},
                                                  {"tf32", MmaInput::tf32},
                                                  {"e4m3", MmaInput::e4m3},
                                                  {"e5m2", MmaInput::e5m2}};
  const auto [d_type, a_type, b_type] = types_of(fragment.form);
  const int k = kBytesOfK / static_cast<int>(bytes_of(a_type));
  const auto a = elements(fragment.a, bytes_of(a_type));
  const auto b = transposed(elements(fragment.b, bytes_of(b_type)), k);
  const auto c = elements(fragment.c, bytes_of(d_type));
  Matrix<std::uint32_t> d(c.size());
  for (const int first : {0, kHalf}) {
    semantics::mma(semantics::warpgroup_tensor_model(), {kHalf, kColumns, k}, inputs.at(a_type),
                   a.data() + first * k, inputs.at(b_type), b.data(),
                   d_type == "f16" ? MmaAccumulator::f16 : MmaAccumulator::f32,
                   c.data() + first * kColumns, d.data() + first * kColumns);
  }
  return d;
}

Matrix<std::int32_t> widened(const Matrix<std::uint32_t>& bytes, bool is_signed) {
  Matrix<std::int32_t> all;
  for (const std::uint32_t byte : bytes) {
    all.push_back(is_signed ? static_cast<std::int8_t>(byte) : static_cast<std::int32_t>(byte));
  }
  return all;
}

Matrix<std::uint32_t> integer_product(const Fragment& fragment) {
  const auto types = types_of(fragment.form);
  const auto a = widened(elements(fragment.a, 1), types[1] == "s8");
  const auto b = transposed(widened(elements(fragment.b, 1), types[2] == "s8"), kBytesOfK);
  const auto words = elements(fragment.c, 4);
  const Matrix<std::int32_t> c(words.begin(), words.end());
  Matrix<std::int32_t> d(c.size());
  for (const int first : {0, kHalf}) {
    semantics::mma({kHalf, kColumns, kBytesOfK}, a.data() + first * kBytesOfK, b.data(),
                   c.data() + first * kColumns, d.data() + first * kColumns, false);
  }
  return {d.begin(), d.end()};
}

TEST(WgmmaReplay, SumsHaveTheSameBits) {
  std::map<std::string, std::size_t> compared;
  for (const Fragment& fragment : fragments()) {
    const auto types = types_of(fragment.form);
    const auto expected = elements(fragment.d, bytes_of(types[0]));
    ASSERT_EQ(expected.size(), kRows * kColumns) << fragment.form;
    EXPECT_EQ(types[0] == "s32" ? integer_product(fragment) : real_product(fragment), expected)
        << fragment.form;
    ++compared[fragment.form];
  }
  EXPECT_EQ(compared.size(), 14U);
}

}  // namespace
}  // namespace warpcheck::golden::wgmma
