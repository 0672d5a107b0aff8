#include "device/virtual/semantics/tensor_box.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpcheck::semantics {
namespace {

using device::kMostTensorDimensions;
using device::TensorMap;
using TensorIndex = std::array<std::int64_t, kMostTensorDimensions>;

constexpr std::uint32_t kChunk = 16;  // bytes that a swizzle moves together

std::int64_t signed_of(std::uint64_t value) { return static_cast<std::int64_t>(value); }

/// Adds the rows of a box one after another. A row of an interleaved tensor is one slice of
/// channels. With a swizzle, rows are padded to its span.
class BoxBuilder {
 public:
  BoxBuilder(const TensorMap& map, const TensorPlace& place) : map_(map), place_(place) {
    const std::uint32_t element = device::tensor_element_bytes(map.type);
    unit_ = map.interleave != 0 ? static_cast<std::uint32_t>(kChunk * map.interleave) : element;
    const auto elements = static_cast<std::uint32_t>(map.im2col ? map.channels : map.box[0]);
    row_ = map.interleave != 0 ? static_cast<std::uint32_t>(unit_) : element * elements;
    const bool padded = map.interleave == 0 && map.swizzle != 0;
    pitch_ = padded ? static_cast<std::uint32_t>(kChunk << map.swizzle) : row_;
  }

  void add_row(const TensorIndex& at) {
    bool inside = true;
    std::int64_t begin = signed_of(map_.address);  // address of the row
    for (unsigned i = 1; i < map_.rank; ++i) {
      begin += at[i] * signed_of(map_.strides[i - 1]);
      inside = inside && at[i] >= 0 && at[i] < signed_of(map_.dims[i]);
    }
    const std::int64_t first = at[0] * unit_;
    const std::int64_t length = inside ? signed_of(map_.dims[0]) * unit_ : 0;
    for (std::uint32_t done = 0; done < row_; done += kChunk) {
      const std::uint64_t plain = place_.shared + next_ + done;
      const auto within = [&](std::int64_t offset) {
        return static_cast<std::uint8_t>(
            std::clamp<std::int64_t>(offset - first - done, 0, kChunk));
      };
      TensorChunk chunk;
      chunk.shared = static_cast<std::uint32_t>(swizzled(map_.swizzle, plain) - place_.shared);
      chunk.first = within(0);
      chunk.end = std::max(chunk.first, within(length));
      chunk.address = static_cast<std::uint64_t>(begin + first + done);
      box_.push_back(chunk);
    }
    next_ += pitch_;
  }

  TensorBox take() { return std::move(box_); }

 private:
  const TensorMap& map_;
  const TensorPlace& place_;
  std::int64_t unit_ = 0;    // bytes of one coordinate of the innermost dimension
  std::uint32_t row_ = 0;    // bytes of a row
  std::uint32_t pitch_ = 0;  // bytes from one row to the next in shared memory
  std::uint32_t next_ = 0;   // offset of the next row in shared memory
  TensorBox box_;
};

/// The extent of a tile: one slice of channels of an interleaved tensor.
TensorIndex extent_of(const TensorMap& map) {
  TensorIndex extent{1, 1, 1, 1, 1};
  for (unsigned i = 0; i < map.rank; ++i) extent[i] = map.box[i];
  if (map.interleave != 0) {
    extent[map.rank - 2] = 1;
  } else {
    extent[0] = 1;  // rows are added as a whole
  }
  return extent;
}

void add_tile(const TensorMap& map, const TensorPlace& place, BoxBuilder& box) {
  const TensorIndex extent = extent_of(map);
  TensorIndex index{};
  for (bool more = true; more;) {
    TensorIndex at{};
    for (unsigned i = 0; i < map.rank; ++i) at[i] = place.at[i] + index[i];
    box.add_row(at);
    more = false;
    for (unsigned i = 0; i < map.rank && !more; ++i) {
      index[i] += map.steps[i];
      more = index[i] < extent[i];
      if (!more) index[i] = 0;
    }
  }
}

/// Adds pixels from the given one on, row by row of the bounding box, image by image.
void add_pixels(const TensorMap& map, const TensorPlace& place, BoxBuilder& box) {
  const unsigned begin = device::first_pixel_axis(map);
  const unsigned axes = map.rank - 2;
  TensorIndex pixel{};
  for (unsigned i = 0; i < map.rank; ++i) pixel[i] = place.at[i];
  for (std::uint32_t count = 0; count < map.pixels; ++count) {
    TensorIndex at = pixel;
    for (unsigned i = 0; i < axes; ++i) at[begin + i] += place.offset[i];
    box.add_row(at);
    bool carries = true;
    for (unsigned i = 0; i < axes && carries; ++i) {
      std::int64_t& coordinate = pixel[begin + i];
      coordinate += map.steps[begin + i];
      carries = coordinate >= signed_of(map.dims[begin + i]) + map.upper[i];
      if (carries) coordinate = map.lower[i];
    }
    if (carries) ++pixel[map.rank - 1];
  }
}

std::uint32_t rounded_to_tf32(std::uint32_t bits) {
  constexpr std::uint32_t kLow = 0x1fff;
  const bool special = (bits >> 23 & 0xff) == 0xff;
  if (special) return (bits & 0x7fffff) != 0 ? 0x7fffe000 : bits;
  return (bits + (kLow >> 1) + (bits >> 13 & 1)) & ~kLow;
}

}  // namespace

std::uint64_t swizzled(unsigned swizzle, std::uint64_t address) {
  const std::uint64_t bits = (std::uint64_t{1} << swizzle) - 1;
  return address ^ ((address >> 7 & bits) << 4);
}

std::byte fill_of(const TensorMap& map, std::size_t index) {
  if (map.fill == 0) return std::byte{0};
  return index % 2 == 0 ? std::byte{0xf7} : std::byte{0x7f};
}

void convert_loaded(const TensorMap& map, std::span<std::byte> bytes) {
  constexpr unsigned kTf32 = 11;
  constexpr unsigned kTf32Ftz = 12;
  if (map.type != kTf32 && map.type != kTf32Ftz) return;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &bytes[i], sizeof bits);
    bits = rounded_to_tf32(bits);
    std::memcpy(&bytes[i], &bits, sizeof bits);
  }
}

TensorBox tensor_box(const TensorMap& map, const TensorPlace& place) {
  BoxBuilder box(map, place);
  if (map.im2col) {
    add_pixels(map, place, box);
  } else {
    add_tile(map, place, box);
  }
  return box.take();
}

TensorBox stored_box(const TensorMap& map, const TensorPlace& place) {
  TensorBox box = tensor_box(map, place);
  for (TensorChunk& chunk : box) {
    if (chunk.end != chunk.first) chunk.end = kChunk;
  }
  return box;
}

std::string illegal_place(const TensorMap& map, const TensorPlace& place, TensorAccess access) {
  const std::int64_t begin = std::int64_t{place.at[0]} * device::tensor_element_bytes(map.type);
  if (map.interleave == 0 && begin % kChunk != 0) {
    return "coordinate 0 is " + std::to_string(place.at[0]) + ", which is " +
           std::to_string(begin) + " bytes: expected a multiple of 16 bytes";
  }
  for (unsigned i = 0; map.im2col && i + 2 < map.rank; ++i) {
    const unsigned axis = device::first_pixel_axis(map) + i;
    const std::int64_t end = signed_of(map.dims[axis]) + map.upper[i];
    if (place.at[axis] >= map.lower[i] && place.at[axis] < end) continue;
    return "coordinate " + std::to_string(axis) + " is " + std::to_string(place.at[axis]) +
           ": expected one of the bounding box, " + std::to_string(map.lower[i]) + " to " +
           std::to_string(end - 1);
  }
  for (unsigned i = 0; access == TensorAccess::store && i < map.rank; ++i) {
    if (place.at[i] >= 0) continue;
    return "coordinate " + std::to_string(i) + " is " + std::to_string(place.at[i]) +
           ": expected 0 or more for a store";
  }
  return {};
}

}  // namespace warpcheck::semantics
