#include "device/tensor_map.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace warpcheck::device {
namespace {

struct Element {
  std::string_view name;
  unsigned bytes;
  bool floating;
};

constexpr std::array<Element, 13> kElements = {{{"u8", 1, false},
                                                {"u16", 2, false},
                                                {"u32", 4, false},
                                                {"s32", 4, false},
                                                {"u64", 8, false},
                                                {"s64", 8, false},
                                                {"f16", 2, true},
                                                {"f32", 4, true},
                                                {"f64", 8, true},
                                                {"bf16", 2, true},
                                                {"f32_ftz", 4, true},
                                                {"tf32", 4, true},
                                                {"tf32_ftz", 4, true}}};

/// The first bytes of every encoded map.
constexpr std::uint32_t kMark = 0x70616d74;

/// The encoded bytes of a map.
struct Encoded {
  std::uint32_t mark;
  std::uint8_t im2col;
  std::uint8_t type;
  std::uint8_t rank;
  std::uint8_t modes;  // interleave, swizzle, promotion, fill: two bits each
  std::uint64_t address;
  std::array<std::uint64_t, 4> strides;
  std::array<std::uint32_t, 5> last;  // largest coordinate of each dimension
  std::array<std::uint16_t, 5> box;
  std::array<std::uint8_t, 6> steps;
  std::array<std::int16_t, 3> lower;
  std::array<std::int16_t, 3> upper;
  std::uint16_t channels;
  std::uint16_t pixels;
  std::array<std::uint8_t, 24> zero;
};
static_assert(sizeof(Encoded) == kTensorMapBytes && std::is_trivially_copyable_v<Encoded>);

template <class To, class From, std::size_t N, std::size_t M>
void assign(std::array<To, N>& to, const std::array<From, M>& from) {
  for (std::size_t i = 0; i < std::min(N, M); ++i) to[i] = static_cast<To>(from[i]);
}

}  // namespace

std::span<const std::string_view> tensor_element_names() {
  static const auto names = [] {
    std::array<std::string_view, kElements.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = kElements[i].name;
    return all;
  }();
  return names;
}

unsigned tensor_element_bytes(unsigned type) {
  return type < kElements.size() ? kElements[type].bytes : 0;
}

bool is_floating(unsigned type) { return type < kElements.size() && kElements[type].floating; }

std::array<std::byte, kTensorMapBytes> encode(const TensorMap& map) {
  Encoded encoded{};
  encoded.mark = kMark;
  encoded.im2col = map.im2col ? 1 : 0;
  encoded.type = static_cast<std::uint8_t>(map.type);
  encoded.rank = static_cast<std::uint8_t>(map.rank);
  encoded.modes = static_cast<std::uint8_t>(map.interleave | map.swizzle << 2 | map.promotion << 4 |
                                            map.fill << 6);
  encoded.address = map.address;
  encoded.strides = map.strides;
  for (std::size_t i = 0; i < map.dims.size(); ++i) {
    encoded.last[i] = static_cast<std::uint32_t>(map.dims[i] - 1);
  }
  assign(encoded.box, map.box);
  assign(encoded.steps, map.steps);
  assign(encoded.lower, map.lower);
  assign(encoded.upper, map.upper);
  encoded.channels = static_cast<std::uint16_t>(map.channels);
  encoded.pixels = static_cast<std::uint16_t>(map.pixels);
  std::array<std::byte, kTensorMapBytes> bytes;
  std::memcpy(bytes.data(), &encoded, sizeof encoded);
  return bytes;
}

std::optional<TensorMap> decode(std::span<const std::byte, kTensorMapBytes> bytes) {
  Encoded encoded;
  std::memcpy(&encoded, bytes.data(), sizeof encoded);
  if (encoded.mark != kMark || encoded.rank == 0 || encoded.rank > kMostTensorDimensions ||
      tensor_element_bytes(encoded.type) == 0) {
    return std::nullopt;
  }
  TensorMap map;
  map.im2col = encoded.im2col != 0;
  map.type = encoded.type;
  map.rank = encoded.rank;
  map.interleave = encoded.modes & 3;
  map.swizzle = encoded.modes >> 2 & 3;
  map.promotion = encoded.modes >> 4 & 3;
  map.fill = encoded.modes >> 6;
  map.address = encoded.address;
  map.strides = encoded.strides;
  for (std::size_t i = 0; i < map.dims.size(); ++i) {
    map.dims[i] = std::uint64_t{encoded.last[i]} + 1;
  }
  assign(map.box, encoded.box);
  assign(map.steps, encoded.steps);
  assign(map.lower, encoded.lower);
  assign(map.upper, encoded.upper);
  map.channels = encoded.channels;
  map.pixels = encoded.pixels;
  return map;
}

}  // namespace warpcheck::device
