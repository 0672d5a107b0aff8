#include "device/tensor_map.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
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
  std::uint8_t replaced;          // 1: tensormap.replace changed a field
  std::uint8_t without_elements;  // one bit for each dimension
  std::array<std::uint8_t, 22> zero;
};
static_assert(sizeof(Encoded) == kTensorMapBytes && std::is_trivially_copyable_v<Encoded>);

template <class To, class From, std::size_t N, std::size_t M>
void assign(std::array<To, N>& to, const std::array<From, M>& from) {
  for (std::size_t i = 0; i < std::min(N, M); ++i) to[i] = static_cast<To>(from[i]);
}

Encoded encoded_of(std::span<const std::byte, kTensorMapBytes> bytes) {
  Encoded encoded;
  std::memcpy(&encoded, bytes.data(), sizeof encoded);
  return encoded;
}

void set_extent(Encoded& encoded, std::size_t dimension, std::uint64_t elements) {
  encoded.last[dimension] = static_cast<std::uint32_t>(elements - 1);
  const auto bit = static_cast<std::uint8_t>(1U << dimension);
  encoded.without_elements &= static_cast<std::uint8_t>(~bit);
  if (elements == 0) encoded.without_elements |= bit;
}

/// A value that its field cannot represent becomes the largest one, which is illegal as well.
template <class Field>
Field saturated(std::uint64_t value) {
  return static_cast<Field>(std::min<std::uint64_t>(value, std::numeric_limits<Field>::max()));
}

/// The number of the driver API for an element type of tensormap.replace.
unsigned element_type(std::uint64_t value) {
  constexpr std::array<std::uint8_t, 13> kTypes = {0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12};
  return value < kTypes.size() ? kTypes[value] : saturated<std::uint8_t>(value);
}

void set_mode(Encoded& encoded, unsigned shift, std::uint64_t value) {
  encoded.modes =
      static_cast<std::uint8_t>((encoded.modes & ~(3U << shift)) | (value & 3) << shift);
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
    set_extent(encoded, i, map.dims[i]);
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
  const Encoded encoded = encoded_of(bytes);
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
    const bool is_empty = (encoded.without_elements >> i & 1) != 0;
    map.dims[i] = is_empty ? 0 : std::uint64_t{encoded.last[i]} + 1;
  }
  assign(map.box, encoded.box);
  assign(map.steps, encoded.steps);
  assign(map.lower, encoded.lower);
  assign(map.upper, encoded.upper);
  map.channels = encoded.channels;
  map.pixels = encoded.pixels;
  return map;
}

void replace(std::span<std::byte, kTensorMapBytes> bytes, TensorMapField field, unsigned dimension,
             std::uint64_t value) {
  Encoded encoded = encoded_of(bytes);
  const bool is_zero =
      std::all_of(bytes.begin(), bytes.end(), [](std::byte one) { return one == std::byte{0}; });
  if (is_zero) {
    encoded.mark = kMark;
    encoded.rank = 1;
  }
  encoded.replaced = 1;
  switch (field) {
    case TensorMapField::address:
      encoded.address = value;
      break;
    case TensorMapField::rank:
      encoded.rank = saturated<std::uint8_t>(std::min<std::uint64_t>(value, 254) + 1);
      break;
    case TensorMapField::box:
      encoded.box[dimension] = saturated<std::uint16_t>(value);
      break;
    case TensorMapField::dim:
      set_extent(encoded, dimension, value);
      break;
    case TensorMapField::stride:
      encoded.strides[dimension] = value;
      break;
    case TensorMapField::step:
      encoded.steps[dimension] = saturated<std::uint8_t>(value);
      break;
    case TensorMapField::type:
      encoded.type = static_cast<std::uint8_t>(element_type(value));
      break;
    case TensorMapField::interleave:
      set_mode(encoded, 0, value);
      break;
    case TensorMapField::swizzle:
      set_mode(encoded, 2, value);
      break;
    case TensorMapField::fill:
      set_mode(encoded, 6, value);
      break;
  }
  std::memcpy(bytes.data(), &encoded, sizeof encoded);
}

bool has_replaced_field(std::span<const std::byte, kTensorMapBytes> bytes) {
  return encoded_of(bytes).replaced != 0;
}

}  // namespace warpcheck::device
