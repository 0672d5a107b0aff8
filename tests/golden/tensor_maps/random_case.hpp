// Random tensor maps for record.cu, and arguments at and beyond the limits.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>

namespace warpcheck::golden {

inline constexpr unsigned kGlobalBytes = 1 << 18;
inline constexpr unsigned kSharedBytes = 24 << 10;  // observed
inline constexpr unsigned kMostFaults = 12;         // recorded faults of a kind
inline constexpr unsigned kFullBytes = 12;          // copies of a kind whose bytes are kept

enum Kind {
  kTile,
  kTile32,
  kTile64,
  kTile128,
  kInterleave16,
  kInterleave32,
  kIm2col,
  kIm2colInterleaved,
  kStore,
  kStoreIm2col,
  kReduce,
  kEncodeTiled,
  kEncodeIm2col,
  kKinds
};

struct Rng {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  long in(long low, long high) { return low + static_cast<long>(next() % (high - low + 1)); }
  bool one_of(unsigned n) { return next() % n == 0; }
};

struct Case {
  int kind = 0, im2col = 0, type = 0, rank = 1, misaligned = 0;  // bytes past a multiple of 256
  std::uint64_t dims[5] = {1, 1, 1, 1, 1}, strides[4] = {};
  unsigned box[5] = {1, 1, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  int lower[3] = {}, upper[3] = {};
  unsigned channels = 1, pixels = 1;
  int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
  int at[5] = {}, offset[3] = {};
  int op = 0;  // number of the reduction: add min max inc dec and or xor
  unsigned shared = 0, bytes = 0;
};

inline constexpr int kSizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

inline std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

inline bool fits(const Case& c) {
  std::uint64_t last = c.dims[0] * kSizes[c.type] + c.misaligned;
  for (int i = 1; i < c.rank; ++i) last += c.strides[i - 1] * (c.dims[i] - 1);
  return last <= kGlobalBytes;
}

/// The slices of channels that a copy of an interleaved tensor transfers: one of the last dimension
/// but one.
inline unsigned slices_of(const Case& c) {
  if (c.im2col != 0) return c.pixels;
  unsigned slices = 1;
  for (int i = 0; i < c.rank; ++i) {
    if (i != c.rank - 2) slices *= (c.box[i] + c.steps[i] - 1) / c.steps[i];
  }
  return slices;
}

inline Case random_case(Kind kind, Rng& rng) {
  constexpr int kSpans[] = {256, 32, 64, 128};
  for (;;) {
    Case c;
    c.kind = kind;
    const bool slices =
        kind == kInterleave16 || kind == kInterleave32 || kind == kIm2colInterleaved;
    c.im2col = kind == kIm2col || kind == kIm2colInterleaved || kind == kStoreIm2col ||
               kind == kEncodeIm2col;
    c.type = rng.in(0, 12);
    if (kind == kReduce) c.op = rng.in(0, 7);
    const int size = kSizes[c.type];
    const int unit = 16 / size;
    c.rank = rng.in(slices || c.im2col ? 3 : 1, 5);
    c.swizzle = kind <= kTile128 ? kind - kTile : rng.in(0, 3);
    if (slices) c.interleave = kind == kIm2colInterleaved ? rng.in(1, 2) : kind - kInterleave16 + 1;
    if (kind >= kEncodeTiled && c.rank >= 3) c.interleave = rng.in(0, 2);
    if (kind == kStore && c.rank >= 3 && rng.one_of(4)) c.interleave = rng.in(1, 2);
    if (c.interleave == 2 && kind < kEncodeTiled) c.swizzle = 1;
    const bool floating = c.type >= 6;
    c.fill = floating && rng.one_of(2);
    c.promotion = rng.in(0, 3);
    c.misaligned = 32 * rng.in(0, 4);
    const int most = c.interleave != 0 ? 16 * c.interleave : kSpans[c.swizzle];
    const unsigned inner = unit * rng.in(1, most / 16);
    c.box[0] = inner;
    c.dims[0] = c.interleave != 0 ? rng.in(1, 40) : rng.in(1, 3 * inner);
    c.strides[0] = round_up(c.dims[0] * size, 32) + 32 * rng.in(0, 2);
    if (c.interleave != 0) c.strides[0] = 32 * rng.in(1, 4);
    c.channels = inner;
    std::uint64_t elements = inner;
    for (int i = 1; i < c.rank; ++i) {
      c.box[i] = rng.in(1, c.rank < 4 ? 16 : 5);
      c.dims[i] = rng.in(1, c.rank < 4 ? 20 : 6);
      if (rng.one_of(3)) c.steps[i] = rng.in(1, 4);
      if (i > 1) c.strides[i - 1] = c.strides[i - 2] * (c.dims[i - 1] + rng.in(0, 1));
      elements *= (c.box[i] + c.steps[i] - 1) / c.steps[i];
    }
    if (c.interleave != 0 && rng.one_of(3)) c.steps[0] = rng.in(1, 3);
    if (c.im2col) {
      const int spatial = c.rank - 2;
      for (int i = 0; i < spatial; ++i) {
        c.lower[i] = rng.in(-2, 2);
        c.upper[i] = rng.in(-2, 2);
        c.offset[i] = rng.in(0, 3);
        c.steps[i + (c.interleave != 0 ? 0 : 1)] = rng.one_of(3) ? rng.in(1, 3) : 1;
      }
      c.steps[c.interleave != 0 ? c.rank - 2 : 0] = 1;
      c.steps[c.rank - 1] = 1;
      if (kind == kStoreIm2col) std::memset(c.offset, 0, sizeof c.offset);
      c.pixels = rng.in(1, 24);
      elements = std::uint64_t{inner} * c.pixels;
    }
    c.bytes = elements * size;
    if (c.interleave != 0) c.bytes = slices_of(c) * 16 * c.interleave;
    c.shared = 128 * rng.in(0, 15);
    if (c.bytes > (c.swizzle != 0 && c.interleave == 0 ? 2048u : 8192u) || !fits(c)) continue;
    for (int i = 0; i < c.rank; ++i) {
      const long reach = c.im2col ? 3 : c.box[i];
      c.at[i] = rng.one_of(2) ? 0 : rng.in(-reach, static_cast<long>(c.dims[i]) + 1);
    }
    const bool stores = kind == kStore || kind == kStoreIm2col || kind == kReduce;
    for (int i = 0; i < c.rank && stores; ++i) c.at[i] = c.at[i] < 0 ? -c.at[i] / 2 : c.at[i];
    // Others are illegal instructions: the copies begin at multiples of 16 bytes.
    if (c.interleave == 0) c.at[0] = c.at[0] / unit * unit;
    if (c.im2col) {  // copies must begin within the bounding box
      const int first_axis = c.interleave != 0 ? 0 : 1;
      for (int i = 0; i < c.rank - 2; ++i) {
        const int axis = i + first_axis;
        const long first = c.lower[i];
        const long last = static_cast<long>(c.dims[axis]) - 1 + c.upper[i];
        c.at[axis] = last < first ? first : rng.in(first, last);
      }
      c.at[c.rank - 1] = rng.in(0, static_cast<long>(c.dims[c.rank - 1]));
    }
    return c;
  }
}

/// Replaces one argument by a value at or beyond a limit.
inline void spoil(Case& c, Rng& rng) {
  const int axis = rng.in(0, c.rank - 1);
  const int other = rng.in(0, 3);
  const auto pick = [&](std::initializer_list<long long> values) {
    return values.begin()[rng.next() % values.size()];
  };
  switch (rng.in(0, 14)) {
    case 0:
      c.type = pick({13, 14, 15, 16, 0, 7, 8});
      break;
    case 1:
      c.rank = pick({0, 1, 2, 3, 4, 5, 6});
      break;
    case 2:
      c.misaligned = pick({1, 4, 8, 16, 24, 32, 48});
      break;
    case 3:
      c.dims[axis] = pick({0, 1, 2, 1ll << 31, 1ll << 32, (1ll << 32) + 1, (1ll << 32) - 1});
      break;
    case 4:
      c.strides[other] = pick({0, 1, 8, 16, 24, 32, 48, 1ll << 39, 1ll << 40, (1ll << 40) - 16});
      break;
    case 5:
      c.box[axis] = pick({0, 1, 2, 3, 8, 16, 32, 64, 128, 255, 256, 257, 512});
      break;
    case 6:
      c.steps[axis] = pick({0, 1, 2, 7, 8, 9, 16});
      break;
    case 7:
      c.interleave = pick({0, 1, 2, 3});
      break;
    case 8:
      c.swizzle = pick({0, 1, 2, 3, 4, 5, 6, 7});
      break;
    case 9:
      c.promotion = pick({0, 3, 4});
      break;
    case 10:
      c.fill = pick({0, 1, 2});
      break;
    case 11:
      c.channels = pick({0, 1, 2, 3, 8, 16, 32, 64, 128, 255, 256, 257});
      break;
    case 12:
      c.pixels = pick({0, 1, 512, 1023, 1024, 1025, 4096});
      break;
    case 13:
      c.lower[rng.in(0, 2)] =
          pick({-32769, -32768, -129, -128, -17, -16, 15, 16, 127, 128, 32767, 32768});
      break;
    case 14:
      c.upper[rng.in(0, 2)] =
          pick({-32769, -32768, -129, -128, -17, -16, 15, 16, 127, 128, 32767, 32768});
      break;
  }
}

}  // namespace warpcheck::golden
