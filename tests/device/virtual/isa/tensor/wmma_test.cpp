// wmma: products of small integers in memory, which are exact in every format, with any layout.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

unsigned bits_of(const std::string& type) {
  if (type == "b1") return 1;
  return static_cast<unsigned>(std::stoi(type.substr(type.find_first_of("12346789"))));
}

int least_of(const std::string& type) {
  return type[0] == 'b' && type != "bf16" ? 0 : type[0] == 'u' ? 0 : -2;
}
int most_of(const std::string& type) { return type == "b1" ? 1 : 2; }

/// 0, 1 or 2, or their negatives, in a 16-bit format with this 1 and 2.
std::uint64_t small(int value, unsigned one, unsigned two) {
  const int size = std::abs(value);
  return (size == 0 ? 0 : size == 1 ? one : two) | (value < 0 ? 0x8000 : 0);
}

std::uint64_t encode(const std::string& type, int value) {
  if (type == "f16") return small(value, 0x3c00, 0x4000);
  if (type == "bf16") return small(value, 0x3f80, 0x4000);
  if (type == "f32" || type == "tf32")
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == "f64") return std::bit_cast<std::uint64_t>(static_cast<double>(value));
  return static_cast<std::uint64_t>(value) & (~0ULL >> (64 - bits_of(type)));
}

double decode(const std::string& type, std::uint64_t bits) {
  if (type == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (type == "f64") return std::bit_cast<double>(bits);
  if (type == "s32") return static_cast<std::int32_t>(bits);
  // f16, of an integer.
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const double size = exponent == 0 ? 0 : std::ldexp(1024 + (bits & 0x3ff), exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

/// A matrix of small integers in memory, with rows or columns `stride` apart.
struct Matrix {
  std::string type;
  int rows = 0;
  int columns = 0;
  std::string layout = "row";
  int stride = 0;
  std::vector<int> values = {};

  [[nodiscard]] int at(int row, int column) const { return values.at(row * columns + column); }
  [[nodiscard]] std::size_t place(int row, int column) const {
    return static_cast<std::size_t>(layout == "row" ? row * stride + column
                                                    : column * stride + row);
  }
  [[nodiscard]] std::size_t bytes() const {
    const int lines = layout == "row" ? rows : columns;
    const int length = layout == "row" ? columns : rows;
    return static_cast<std::size_t>((lines - 1) * stride + length) * bits_of(type) / 8;
  }
};

void write(std::vector<std::byte>& memory, std::size_t begin, const Matrix& matrix) {
  const unsigned bits = bits_of(matrix.type);
  for (int row = 0; row < matrix.rows; ++row) {
    for (int column = 0; column < matrix.columns; ++column) {
      const std::size_t bit = matrix.place(row, column) * bits;
      const std::uint64_t value = encode(matrix.type, matrix.at(row, column)) << (bit % 8);
      for (std::size_t i = 0; i < (bits + 7) / 8; ++i) {
        memory.at(begin + bit / 8 + i) |= static_cast<std::byte>(value >> (8 * i));
      }
    }
  }
}

struct Case {
  int m = 16, n = 16, k = 16;
  std::string shape;
  std::string a_type, c_type, d_type;
};

std::string fragment(int first, std::size_t registers, bool wide) {
  std::string text;
  for (std::size_t i = 0; i < registers; ++i) {
    text +=
        fmt::format("{}%{}{}", i == 0 ? "" : ", ", wide ? "w" : "q", first + static_cast<int>(i));
  }
  return "{" + text + "}";
}

/// The number of registers of a fragment in CUDA's <mma.h>.
std::size_t registers_of(const std::string& type, int elements, bool accumulator) {
  if (type == "f16" && !accumulator) return 8;
  return static_cast<std::size_t>(elements / 32) * bits_of(type) / (type == "f64" ? 64 : 32);
}

std::string product_text(const Case& c, const std::string& a_layout, const std::string& b_layout) {
  if (c.a_type == "f16") {
    return fmt::format("wmma.mma.sync.aligned.{}.{}.{}.{}.{}", a_layout, b_layout, c.shape,
                       c.d_type, c.c_type);
  }
  const bool bits = c.a_type == "b1";
  return fmt::format("wmma.mma{}.sync.aligned.{}.{}.{}.{}.{}.{}.{}{}", bits ? ".and.popc" : "",
                     a_layout, b_layout, c.shape, c.d_type, c.a_type, c.a_type, c.c_type,
                     c.a_type == "f64" ? ".rn" : "");
}

/// D = A B + C of random small integers; `space` is "", ".global" or ".shared", into which the
/// lanes copy the matrices.
void expect_product(const Case& c, const std::string& a_layout, const std::string& b_layout,
                    const std::string& c_layout, const std::string& space, std::mt19937& random) {
  const auto matrix = [&](const std::string& type, int rows, int columns,
                          const std::string& layout) {
    Matrix result{type, rows, columns, layout};
    const int pad = static_cast<int>(128 / bits_of(type));  // 16 bytes
    result.stride = (layout == "row" ? columns : rows);
    result.stride = (result.stride + pad - 1) / pad * pad + pad;
    std::uniform_int_distribution<int> values(least_of(type), most_of(type));
    for (int i = 0; i < rows * columns; ++i) result.values.push_back(values(random));
    return result;
  };
  const Matrix a = matrix(c.a_type, c.m, c.k, a_layout);
  const Matrix b = matrix(c.a_type, c.k, c.n, b_layout);
  const Matrix added = matrix(c.c_type, c.m, c.n, c_layout);
  Matrix d = matrix(c.d_type, c.m, c.n, c_layout == "row" ? "col" : "row");
  constexpr std::size_t kRoom = 4096;
  std::vector<std::byte> memory(3 * kRoom);
  write(memory, 0, a);
  write(memory, kRoom, b);
  write(memory, 2 * kRoom, added);

  const std::size_t na = registers_of(a.type, c.m * c.k, false);
  const std::size_t nb = registers_of(b.type, c.k * c.n, false);
  const std::size_t nc = registers_of(added.type, c.m * c.n, true);
  const std::size_t nd = registers_of(d.type, c.m * c.n, true);
  const bool wide = c.a_type == "f64";
  const auto load = [&](const std::string& which, const Matrix& from, int first, std::size_t count,
                        std::size_t begin) {
    const std::string address = space == ".shared" ? "%r1" : "%in";
    return fmt::format("wmma.load.{}.sync.aligned.{}.{}{}.{} {}, [{}+{}], {};\n", which,
                       from.layout, c.shape, space, from.type, fragment(first, count, wide),
                       address, begin, from.stride);
  };
  std::string body = ".reg .b32 %q<64>; .reg .f64 %w<64>;\n";
  if (space == ".shared") {
    body +=
        "mov.u32 %r1, buffer; mov.u64 %d1, %in; mad.wide.u32 %d1, %me, 4, %d1;"
        "mad.lo.u32 %r2, %me, 4, %r1; mov.u32 %r3, 0;\n"
        "copy: ld.global.u32 %r4, [%d1]; st.shared.u32 [%r2], %r4; add.u64 %d1, %d1, 128;"
        "add.u32 %r2, %r2, 128; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 96; @%p1 bra copy;\n"
        "bar.sync 0;\n";
  }
  body += load("a", a, 0, na, 0) + load("b", b, 8, nb, kRoom) + load("c", added, 16, nc, 2 * kRoom);
  const std::string instruction = product_text(c, a_layout, b_layout);
  body += fmt::format("{} {}, {}, {}, {};\n", instruction, fragment(24, nd, wide),
                      fragment(0, na, wide), fragment(8, nb, wide), fragment(16, nc, wide));
  body +=
      fmt::format("wmma.store.d.sync.aligned.{}.{}{}.{} [%out], {}, {};\n", d.layout, c.shape,
                  space == ".global" ? ".global" : "", d.type, fragment(24, nd, wide), d.stride);
  const Result result =
      run_module(entry(body, ".shared .align 32 .b8 buffer[12288];"), memory, d.bytes());
  ASSERT_EQ(result.finding(), "") << instruction << space;
  for (int row = 0; row < c.m; ++row) {
    for (int column = 0; column < c.n; ++column) {
      int sum = added.at(row, column);
      for (int k = 0; k < c.k; ++k) {
        const int x = a.at(row, k);
        const int y = b.at(k, column);
        sum += c.a_type == "b1" ? (x & y) : x * y;
      }
      const std::size_t place = d.place(row, column);
      const std::uint64_t bits = bits_of(d.type) == 16   ? result.at<std::uint16_t>(place)
                                 : bits_of(d.type) == 32 ? result.at<std::uint32_t>(place)
                                                         : result.at<std::uint64_t>(place);
      ASSERT_EQ(decode(d.type, bits), sum)
          << instruction << space << ", C " << c_layout << ": element " << row << ", " << column;
    }
  }
}

void expect_products(std::string shape, const std::string& a_type, const std::string& c_type,
                     const std::string& d_type, std::mt19937& random) {
  Case c;
  ASSERT_EQ(std::sscanf(shape.c_str(), "m%dn%dk%d", &c.m, &c.n, &c.k), 3);
  c.shape = std::move(shape);
  c.a_type = a_type;
  c.c_type = c_type;
  c.d_type = d_type;
  const bool fixed = bits_of(a_type) < 8;
  for (const std::string a : {"row", "col"}) {
    for (const std::string b : {"row", "col"}) {
      if (fixed && (a == "col" || b == "row")) continue;
      for (const std::string space : {"", ".global", ".shared"}) {
        expect_product(c, a, b, a == b ? "row" : "col", space, random);
      }
    }
  }
}

TEST(Wmma, EveryFormMultipliesMatricesInMemory) {
  std::mt19937 random(16);
  for (const std::string shape : {"m16n16k16", "m32n8k16", "m8n32k16"}) {
    for (const std::string c : {"f16", "f32"}) {
      for (const std::string d : {"f16", "f32"}) expect_products(shape, "f16", c, d, random);
    }
    expect_products(shape, "bf16", "f32", "f32", random);
    expect_products(shape, "s8", "s32", "s32", random);
    expect_products(shape, "u8", "s32", "s32", random);
  }
  expect_products("m16n16k8", "tf32", "f32", "f32", random);
  expect_products("m8n8k4", "f64", "f64", "f64", random);
  expect_products("m8n8k32", "s4", "s32", "s32", random);
  expect_products("m8n8k32", "u4", "s32", "s32", random);
  expect_products("m8n8k128", "b1", "s32", "s32", random);
}

const std::string kRegisters =
    ".reg .b32 %q<8>; .reg .b32 %t<8>; mov.u32 %r1, tile; mov.u32 %r9, 16;\n";
const std::string kLoad =
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 "
    "{%q0, %q1, %q2, %q3, %q4, %q5, %q6, %q7}, [%r1], %r9;\n";
const std::string kTile = ".shared .align 32 .b8 tile[512];";

std::string load_finding(const std::string& before, const std::string& after = "") {
  return run(kRegisters + before + kLoad + after, {}, {}, kTile).finding();
}

TEST(Wmma, MatrixMustBeWithinItsVariable) {
  EXPECT_EQ(load_finding(""), "");
  EXPECT_THAT(load_finding("add.u32 %r1, %r1, 32;"),
              AllOf(StartsWith("out-of-bounds"), HasSubstr("row 15, column 0 of the matrix"),
                    HasSubstr("byte 512 of tile, which has 512 bytes")));
  EXPECT_THAT(load_finding("mov.u32 %r9, 24;"), StartsWith("out-of-bounds"));
}

TEST(Wmma, MatrixMustBeAligned) {
  EXPECT_THAT(load_finding("add.u32 %r1, %r1, 16;"),
              AllOf(StartsWith("misaligned"), HasSubstr("16 bytes past a 32-byte boundary")));
  EXPECT_THAT(load_finding("mov.u32 %r9, 12;"),
              AllOf(StartsWith("misaligned"), HasSubstr("rows of the matrix are 24 bytes apart")));
}

TEST(Wmma, AllLanesMustHaveTheSameMatrix) {
  EXPECT_THAT(load_finding("setp.eq.u32 %p1, %me, 6; @%p1 add.u32 %r1, %r1, 32;"),
              AllOf(StartsWith("barrier-divergence"), HasSubstr("lane 6")));
  EXPECT_THAT(load_finding("setp.eq.u32 %p1, %me, 6; @%p1 mov.u32 %r9, 32;"),
              StartsWith("barrier-divergence"));
  EXPECT_THAT(load_finding("setp.lt.u32 %p1, %me, 6; @%p1 "), StartsWith("barrier-divergence"));
}

TEST(Wmma, LoadOfElementsOfOtherLanesRequiresABarrier) {
  const std::string write =
      "mad.lo.u32 %r2, %me, 16, %r1; mov.u32 %r3, 0; st.shared.v4.u32 [%r2], {%r3, %r3, %r3, %r3};";
  EXPECT_THAT(load_finding(write), StartsWith("race"));
  EXPECT_EQ(load_finding(write + "bar.warp.sync -1;"), "");
}

TEST(Wmma, StoresRaceWithReaders) {
  const std::string store =
      "mov.u32 %q0, 0; wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%r1], {%q0, %q0, %q0, "
      "%q0}, %r9;\n";
  const std::string read = "mad.lo.u32 %r2, %me, 16, %r1; ld.shared.u32 %r3, [%r2];";
  const auto finding = [&](const std::string& between) {
    return run(kRegisters + store + between + read, {}, {}, kTile).finding();
  };
  EXPECT_THAT(finding(""), StartsWith("race"));
  EXPECT_EQ(finding("bar.warp.sync -1;"), "");
}

TEST(Wmma, InputsMustNotBeStoredTo) {
  EXPECT_THAT(run("mov.u32 %r0, 0; wmma.store.d.sync.aligned.row.m16n16k16.f16 [%in], {%r0, "
                  "%r0, %r0, %r0}, 16;",
                  std::vector<std::uint32_t>(128))
                  .finding(),
              StartsWith("input-modified"));
}

TEST(Wmma, UndefinedElementsAffectOnlyTheirRow) {
  // Row 2 of A is never written; the rows of D are stored one by one.
  const auto finding = [](const std::string& rows) {
    return run(kRegisters +
                   "mad.lo.u32 %r2, %me, 16, %r1; mov.u32 %r3, 0; shr.u32 %r4, %me, 1;"
                   "setp.ne.u32 %p1, %r4, 2; @%p1 st.shared.v4.u32 [%r2], {%r3, %r3, %r3, %r3};"
                   "bar.warp.sync -1;" +
                   kLoad +
                   "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {%t0, %t1, %t2, %t3}, "
                   "{%q0, %q1, %q2, %q3, %q4, %q5, %q6, %q7}, "
                   "{%r3, %r3, %r3, %r3, %r3, %r3, %r3, %r3}, {%r3, %r3, %r3, %r3};"
                   "bar.warp.sync -1;"
                   "wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%r1], {%t0, %t1, %t2, "
                   "%t3}, "
                   "%r9; bar.warp.sync -1; ld.shared.u32 %r5, [%r2];" +
                   rows + " st.global.u32 [%own], %r5;",
               {}, {}, kTile)
        .finding();
  };
  EXPECT_EQ(finding("@%p1"), "");
  EXPECT_THAT(finding("setp.eq.u32 %p1, %me, 4; @%p1"), StartsWith("uninitialized-read"));
}

TEST(Wmma, StoringUndefinedElementsToGlobalMemoryIsAFinding) {
  const auto finding = [](const std::string& layout) {
    return run_module(entry(kRegisters + kLoad + "wmma.store.d.sync.aligned." + layout +
                                ".m16n16k16.global.f16 [%out], {%q0, %q1, %q2, %q3}, 16;",
                            kTile),
                      {}, 512)
        .finding();
  };
  EXPECT_THAT(finding("row"), StartsWith("uninitialized-read"));
  EXPECT_THAT(finding("col"), StartsWith("uninitialized-read"));
}

TEST(Wmma, DistantRowIsFound) {
  // Rows of 2^28 floats: the offset of the fifth one exceeds 2^32 bytes.
  EXPECT_THAT(run_module(entry("wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%f0, %f1, %f2, "
                               "%f3, %f4, %f5, %f6, %f7}, [%in], 268435456;"),
                         std::vector<std::byte>(1024), 32)
                  .finding(),
              AllOf(StartsWith("out-of-bounds"), HasSubstr("row 1, column 0"),
                    HasSubstr("byte 1073741824 of in")));
}

}  // namespace
}  // namespace warpcheck::isa::test
