// mma.sync: products of small integers, which are exact in every format, with the layout of
// fragments by the formulas of the manual for element i of a lane (PTX ISA 9.7.14.5.1
// to 9.7.14.5.13).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// The row or column of element i of the lane with this groupID and threadID_in_group.
using Formula = std::function<int(int group, int thread, int i)>;

struct Format {
  int bits;
  int least;  // least random integer
  int most;
  std::function<std::uint64_t(int)> encode;
  std::function<double(std::uint64_t)> decode;
};

/// 0, 1 and 2 in a floating-point format with the given 1 and 2.
std::function<std::uint64_t(int)> small_floats(std::uint64_t one, std::uint64_t two,
                                               std::uint64_t sign) {
  return [=](int value) {
    const int size = std::abs(value);
    return (size == 0 ? 0 : size == 1 ? one : two) | (value < 0 ? sign : 0);
  };
}

double half_value(std::uint64_t bits) {
  const double fraction = static_cast<double>(bits & 0x3ff) / 1024;
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const double size =
      exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  return (bits & 0x8000) != 0 ? -size : size;
}

Format format(std::string_view type) {
  const auto integer = [](int bits, int least, int most) {
    return Format{bits, least, most,
                  [=](int v) { return static_cast<std::uint64_t>(v) & ((1ULL << bits) - 1); },
                  [](std::uint64_t v) { return static_cast<std::int32_t>(v); }};
  };
  if (type == "f16") return {16, -2, 2, small_floats(0x3c00, 0x4000, 0x8000), half_value};
  if (type == "bf16") return {16, -2, 2, small_floats(0x3f80, 0x4000, 0x8000), {}};
  if (type == "e4m3") return {8, -2, 2, small_floats(0x38, 0x40, 0x80), {}};
  if (type == "e5m2") return {8, -2, 2, small_floats(0x3c, 0x40, 0x80), {}};
  if (type == "tf32" || type == "f32") {
    return {32, -2, 2, [](int v) { return std::bit_cast<std::uint32_t>(static_cast<float>(v)); },
            [](std::uint64_t v) { return std::bit_cast<float>(static_cast<std::uint32_t>(v)); }};
  }
  if (type == "f64") {
    return {64, -9, 9, [](int v) { return std::bit_cast<std::uint64_t>(static_cast<double>(v)); },
            [](std::uint64_t v) { return std::bit_cast<double>(v); }};
  }
  if (type == "s32") return integer(32, -1000, 1000);
  if (type == "s8") return integer(8, -128, 127);
  if (type == "u8") return integer(8, 0, 255);
  if (type == "s4") return integer(4, -8, 7);
  if (type == "u4") return integer(4, 0, 15);
  return integer(1, 0, 1);
}

struct Layout {
  Formula a_row, a_column, b_row, b_column, c_row, c_column;
};

struct Product {
  std::string shape;
  int m, n, k;
  std::string d, a, b, c;
  std::string suffix;
  Layout layout;
};

int group_of(int g, int, int) { return g; }

// C and D of m8n8 and m16n8.
int c_row16(int g, int, int i) { return i < 2 ? g : g + 8; }
int c_column(int, int t, int i) { return 2 * t + (i & 1); }

// One, two, four or eight elements in a register; A with one register, two in a column, or two
// columns of two.
Layout layout_of(int m, int each) {
  Layout l;
  l.c_row = m == 8 ? Formula(group_of) : Formula(c_row16);
  l.c_column = c_column;
  l.b_column = group_of;
  l.a_row = [=](int g, int, int i) {
    const bool upper = m == 8 || (i >= 0 && i < each) || (i >= 2 * each && i < 3 * each) ||
                       (i >= 4 * each && i < 5 * each) || (i >= 6 * each && i < 7 * each);
    return upper ? g : g + 8;
  };
  l.a_column = [=](int, int t, int i) {
    const int first = t * each + i % each;
    if (m == 8) return first;
    return i < 2 * each   ? first
           : i < 4 * each ? first + 4 * each
                          : first + (i / (2 * each)) * 4 * each;
  };
  l.b_row = [=](int, int t, int i) { return t * each + i % each + (i / each) * 4 * each; };
  return l;
}

std::vector<Product> products() {
  std::vector<Product> all;
  const auto add = [&](const std::string& shape, const std::string& types,
                       const std::string& suffix = "") {
    Product p;
    p.shape = shape;
    std::sscanf(shape.c_str(), "m%dn%dk%d", &p.m, &p.n, &p.k);
    std::vector<std::string> names;
    for (std::size_t at = 0; at <= types.size();) {
      const std::size_t end = std::min(types.find('.', at), types.size());
      names.push_back(types.substr(at, end - at));
      at = end + 1;
    }
    p.d = names[0], p.a = names[1], p.b = names[2], p.c = names[3];
    p.suffix = suffix;
    p.layout = layout_of(p.m, std::max(1, 32 / format(p.a).bits));
    all.push_back(p);
  };
  for (const std::string shape : {"m16n8k8", "m16n8k16"}) {
    add(shape, "f16.f16.f16.f16");
    add(shape, "f32.f16.f16.f32");
    add(shape, "f32.bf16.bf16.f32");
  }
  add("m16n8k4", "f32.tf32.tf32.f32");
  add("m16n8k8", "f32.tf32.tf32.f32");
  for (const std::string shape : {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"}) {
    add(shape, "f64.f64.f64.f64");
  }
  for (const std::string shape : {"m8n8k16", "m16n8k16", "m16n8k32"}) {
    for (const std::string types : {"s32.s8.s8.s32", "s32.s8.u8.s32", "s32.u8.s8.s32"}) {
      add(shape, types);
    }
    add(shape, "s32.u8.u8.s32", ".satfinite");
  }
  for (const std::string shape : {"m8n8k32", "m16n8k32", "m16n8k64"}) {
    for (const std::string types : {"s32.s4.s4.s32", "s32.s4.u4.s32", "s32.u4.s4.s32"}) {
      add(shape, types);
    }
    add(shape, "s32.u4.u4.s32", ".satfinite");
  }
  for (const std::string shape : {"m8n8k128", "m16n8k128", "m16n8k256"}) {
    add(shape, "s32.b1.b1.s32", ".xor.popc");
    add(shape, "s32.b1.b1.s32", ".and.popc");
  }
  for (const std::string shape : {"m16n8k16", "m16n8k32"}) {
    for (const std::string a : {"e4m3", "e5m2"}) {
      for (const std::string b : {"e4m3", "e5m2"}) {
        add(shape, "f32." + a + "." + b + ".f32");
        add(shape, "f16." + a + "." + b + ".f16");
      }
    }
  }
  return all;
}

std::string spelling(const Product& p) {
  // .satfinite precedes the types, .xor.popc follows them.
  const bool before = p.suffix == ".satfinite";
  return fmt::format("mma.sync.aligned.{}.row.col{}.{}.{}.{}.{}{}", p.shape, before ? p.suffix : "",
                     p.d, p.a, p.b, p.c, before ? "" : p.suffix);
}

/// The words, 32 or 64 bits, of a fragment with `elements` in each lane.
struct FragmentSize {
  FragmentSize(int elements, int bits)
      : registers(std::max(1, elements * bits / (bits == 64 ? 64 : 32))), wide(bits == 64) {}
  int registers;
  bool wide;
  [[nodiscard]] int words() const { return wide ? 2 * registers : registers; }
};

/// "{%r3, %r4}" or "{%d3, %d4}".
std::string registers(const FragmentSize& size, int first) {
  std::string text;
  for (int i = 0; i < size.registers; ++i) {
    text += fmt::format("{}%{}{}", i == 0 ? "" : ", ", size.wide ? "e" : "r", first + i);
  }
  return "{" + text + "}";
}

std::string moves(const char* instruction, const FragmentSize& size, int first, int word,
                  bool load) {
  std::string text;
  for (int i = 0; i < size.registers; ++i) {
    const std::string reg = fmt::format("%{}{}", size.wide ? "e" : "r", first + i);
    const std::string place =
        fmt::format("[%d{}+{}]", load ? 30 : 31, 4 * (word + (size.wide ? 2 * i : i)));
    text += fmt::format("{}.global.{} {}, {};\n", instruction, size.wide ? "f64" : "u32",
                        load ? reg : place, load ? place : reg);
  }
  return text;
}

class Fragments {
 public:
  explicit Fragments(const Product& p)
      : a(p.m * p.k / 32, format(p.a).bits),
        b(p.n * p.k / 32, format(p.b).bits),
        c(p.m * p.n / 32, format(p.c).bits),
        d(p.m * p.n / 32, format(p.d).bits) {}
  FragmentSize a, b, c, d;
  [[nodiscard]] int words() const { return a.words() + b.words() + c.words(); }
};

std::string body_of(const Product& p) {
  const Fragments f(p);
  const int b = f.a.registers;
  const int c = b + f.b.registers;
  const int d =
      f.a.wide ? 0 : c + f.c.registers;  // f64 uses the registers of A, which have been read
  std::string text =
      fmt::format("mad.wide.u32 %d30, %me, {}, %in; mad.wide.u32 %d31, %me, {}, %out;\n",
                  4 * f.words(), 4 * f.d.words());
  text += moves("ld", f.a, 0, 0, true) + moves("ld", f.b, b, f.a.words(), true) +
          moves("ld", f.c, c, f.a.words() + f.b.words(), true);
  text += fmt::format("{} {}, {}, {}, {};\n", spelling(p), registers(f.d, d), registers(f.a, 0),
                      registers(f.b, b), registers(f.c, c));
  return text + moves("st", f.d, d, 0, false);
}

void put(std::vector<std::uint32_t>& words, int first, int bits, int i, std::uint64_t value) {
  const auto at = static_cast<std::size_t>(first + i * bits / 32);
  words[at] |= static_cast<std::uint32_t>(value << (i * bits % 32));
  if (bits == 64) words[at + 1] = static_cast<std::uint32_t>(value >> 32);
}

std::uint64_t get(const Result& result, int first, int bits, int i) {
  const auto at = static_cast<std::size_t>(first + i * bits / 32);
  std::uint64_t value = result.at<std::uint32_t>(at);
  if (bits == 64) return value | std::uint64_t{result.at<std::uint32_t>(at + 1)} << 32;
  return bits == 32 ? value : value >> (i * bits % 32) & ((1ULL << bits) - 1);
}

using Integers = std::vector<int>;

Integers small_integers(int size, const Format& of, std::mt19937& random) {
  Integers values;
  std::uniform_int_distribution<int> value(of.least, of.most);
  for (int i = 0; i < size; ++i) values.push_back(value(random));
  return values;
}

int multiply(const Product& p, int a, int b) {
  if (p.suffix == ".xor.popc") return a ^ b;
  return a * b;
}

TEST(Mma, EveryFormFollowsTheLayoutOfTheManual) {
  std::mt19937 random(4);
  for (const Product& p : products()) {
    const Format a_format = format(p.a);
    const Format b_format = format(p.b);
    const Format c_format = format(p.c);
    const Integers a = small_integers(p.m * p.k, a_format, random);
    const Integers b = small_integers(p.k * p.n, b_format, random);
    const Integers c = small_integers(p.m * p.n, c_format, random);
    const Fragments f(p);
    std::vector<std::uint32_t> words(static_cast<std::size_t>(32 * f.words()));
    for (int lane = 0; lane < 32; ++lane) {
      const int g = lane / 4;
      const int t = lane % 4;
      const int first = lane * f.words();
      const Layout& l = p.layout;
      for (int i = 0; i < p.m * p.k / 32; ++i) {
        const int place = l.a_row(g, t, i) * p.k + l.a_column(g, t, i);
        put(words, first, a_format.bits, i, a_format.encode(a.at(place)));
      }
      for (int i = 0; i < p.n * p.k / 32; ++i) {
        const int place = l.b_row(g, t, i) * p.n + l.b_column(g, t, i);
        put(words, first + f.a.words(), b_format.bits, i, b_format.encode(b.at(place)));
      }
      for (int i = 0; i < p.m * p.n / 32; ++i) {
        const int place = l.c_row(g, t, i) * p.n + l.c_column(g, t, i);
        put(words, first + f.a.words() + f.b.words(), c_format.bits, i,
            c_format.encode(c.at(place)));
      }
    }
    const Result result = run_module(entry(body_of(p)), bytes_of(words),
                                     static_cast<std::size_t>(32 * 4 * f.d.words()));
    ASSERT_EQ(result.finding(), "") << spelling(p);
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < p.m * p.n / 32; ++i) {
        const int row = p.layout.c_row(lane / 4, lane % 4, i);
        const int column = p.layout.c_column(lane / 4, lane % 4, i);
        int sum = c.at(row * p.n + column);
        for (int k = 0; k < p.k; ++k) sum += multiply(p, a[row * p.k + k], b[k * p.n + column]);
        const Format d_format = format(p.d);
        ASSERT_EQ(d_format.decode(get(result, lane * f.d.words(), d_format.bits, i)), sum)
            << spelling(p) << ": element " << row << ", " << column;
      }
    }
  }
}

/// Halves: A with these in row 0, k = 0 to 2; B with these in column 0; a zero C. The two lowest
/// lanes have k = 0 to 3 of both.
std::string one_sum(std::uint32_t a01, std::uint32_t a2, std::uint32_t b01, std::uint32_t b2) {
  return fmt::format(
      "mov.u32 %r0, 0; mov.u32 %r1, 0; mov.u32 %r2, 0; mov.f32 %f0, 0f00000000;"
      "setp.eq.u32 %p1, %me, 0; @%p1 mov.u32 %r1, {}; @%p1 mov.u32 %r2, {};"
      "setp.eq.u32 %p1, %me, 1; @%p1 mov.u32 %r1, {}; @%p1 mov.u32 %r2, {};"
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%f1, %f2, %f3, %f4}}, "
      "{{%r1, %r0, %r0, %r0}}, {{%r2, %r0}}, {{%f0, %f0, %f0, %f0}}; st.global.f32 [%own], %f1;",
      a01, b01, a2, b2);
}

TEST(Mma, TargetOfTheModuleSelectsTheTensorCores) {
  // 2^24 + 1/2 - 2^24: sm_80 keeps 24 bits below the largest exponent, sm_90 25.
  const std::string body = one_sum(0x3c00'6c00, 0xec00, 0x3800'6c00, 0x6c00);
  std::string ptx = entry(body);
  EXPECT_EQ(run_module(ptx, {}, 256).at<float>(0), 0.5F);
  EXPECT_EQ(run_module(ptx, {}, 256, {.mma_arch = 80}).at<float>(0), 0.0F);
  ptx.replace(ptx.find("sm_90"), 5, "sm_80");
  EXPECT_EQ(run_module(ptx, {}, 256).at<float>(0), 0.0F);
  EXPECT_EQ(run_module(ptx, {}, 256, {.mma_arch = 90}).at<float>(0), 0.5F);
}

TEST(Mma, SatfiniteLimitsTheSum) {
  const auto sum = [](const std::string& satfinite) {
    return run("mov.u32 %r1, 0x7f7f7f7f; mov.u32 %r2, 0x7fffffff;"
               "mma.sync.aligned.m8n8k16.row.col" +
               satfinite +
               ".s32.s8.s8.s32 {%r3, %r4}, {%r1}, {%r1}, {%r2, %r2}; st.global.u32 [%own], %r3;")
        .at<std::int32_t>(0);
  };
  EXPECT_EQ(sum(".satfinite"), 0x7fffffff);
  EXPECT_EQ(sum(""), static_cast<std::int32_t>(0x7fffffffU + 16 * 127 * 127));
}

TEST(Mma, AllLanesMustTakePart) {
  EXPECT_THAT(run("mov.u32 %r1, 0; setp.ne.u32 %p1, %me, 7;"
                  "@%p1 mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r3, %r4}, {%r1}, {%r1}, "
                  "{%r1, %r1};")
                  .finding(),
              AllOf(StartsWith("barrier-divergence"), HasSubstr("31 of the warp's 32 lanes")));
  EXPECT_THAT(run("mov.u32 %r1, 0; mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r3, %r4}, "
                  "{%r1}, {%r1}, {%r1, %r1};",
                  {}, {.block = {20, 1, 1}})
                  .finding(),
              StartsWith("barrier-divergence"));
}

/// The result of a product in which the register `undefined` of lane 13 (row or column 3, k = 4 to
/// 7) is undefined; `store` stores D.
std::string after_undefined(const std::string& undefined, const std::string& store) {
  return run("mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0;"
             "setp.eq.u32 %p1, %me, 13; @%p1 ld.global.u32 " +
                 undefined +
                 ", [%in];"
                 "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r5, %r6}, {%r1}, {%r2}, "
                 "{%r3, %r4}; shr.u32 %r8, %me, 2; and.b32 %r9, %me, 3;" +
                 store,
             {1}, {.in_initialized = false})
      .finding();
}

TEST(Mma, UndefinedElementOfAAffectsOnlyItsRow) {
  EXPECT_EQ(after_undefined("%r1",
                            "setp.ne.u32 %p1, %r8, 3; @%p1 st.global.v2.u32 [%own], "
                            "{%r5, %r6};"),
            "");
  for (int lane = 12; lane < 16; ++lane) {
    EXPECT_THAT(after_undefined("%r1", fmt::format("setp.eq.u32 %p1, %me, {}; @%p1 st.global.u32 "
                                                   "[%own], %r6;",
                                                   lane)),
                StartsWith("uninitialized-read"));
  }
}

TEST(Mma, UndefinedElementOfBAffectsOnlyItsColumn) {
  // Column 3 is in the second registers of the lanes with threadID_in_group 1.
  EXPECT_EQ(after_undefined("%r2",
                            "setp.ne.u32 %p1, %r9, 1; st.global.u32 [%own], %r5; "
                            "@%p1 st.global.u32 [%own], %r6;"),
            "");
  for (int row = 0; row < 8; ++row) {
    EXPECT_THAT(after_undefined("%r2", fmt::format("setp.eq.u32 %p1, %me, {}; @%p1 st.global.u32 "
                                                   "[%own], %r6;",
                                                   4 * row + 1)),
                StartsWith("uninitialized-read"));
  }
}

TEST(Mma, UndefinedElementOfCAffectsOnlyThatOfD) {
  EXPECT_EQ(after_undefined("%r4",
                            "setp.ne.u32 %p1, %me, 13; st.global.u32 [%own], %r5; "
                            "@%p1 st.global.u32 [%own], %r6;"),
            "");
  EXPECT_THAT(after_undefined("%r4", "st.global.u32 [%own], %r6;"),
              StartsWith("uninitialized-read"));
}

TEST(Mma, HalvesOfARegisterAreIndependent) {
  // The high half of C is undefined in lane 0.
  const auto finding = [](const std::string& store) {
    return run("mov.u32 %r1, 0; mov.b16 %h1, 0; mov.b16 %h2, 0; setp.eq.u32 %p1, %me, 0;"
               "@%p1 ld.global.u16 %h2, [%in]; mov.b32 %r3, {%h1, %h2};"
               "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r5, %r6}, {%r1, %r1}, {%r1}, "
               "{%r3, %r1}; mov.b32 {%h3, %h4}, %r5;" +
                   store,
               {1}, {.in_initialized = false})
        .finding();
  };
  EXPECT_EQ(finding("st.global.u16 [%own], %h3;"), "");
  EXPECT_THAT(finding("st.global.u16 [%own], %h4;"), StartsWith("uninitialized-read"));
}

TEST(Mma, FragmentsHaveTheRegistersOfTheirShape) {
  EXPECT_THAT(
      run("mov.u32 %r1, 0; mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%r3, %r4}, "
          "{%r1}, {%r1}, {%r1, %r1};")
          .finding(),
      AllOf(StartsWith("unsupported "), HasSubstr("a fragment has 2 registers, 4 expected")));
}

}  // namespace
}  // namespace warpcheck::isa::test
