// tex and tld4 with texture objects (PTX ISA 9.7.10.3, 9.7.10.4). Without a level, compute kernels
// read the largest level.
#include "device/virtual/semantics/texture.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/texture/texel_access.hpp"

namespace warpcheck::isa {
namespace {

using device::Texture;
using machine::Flow;
using machine::kLanes;
using machine::Mask;
using machine::ResolvedAccess;
using machine::Slot;
using semantics::Channels;
using semantics::Taps;

enum class Detail : std::uint8_t { base, level, gradients, gather };

/// The contents of Op::immediate.
struct SampleForm {
  Detail detail = Detail::base;
  std::uint8_t dimensions = 0;
  bool layered = false;
  bool cube = false;
  bool integer_coordinates = false;
  std::uint8_t component = 0;  // used by tld4
  std::array<std::uint8_t, 2> unused{};

  [[nodiscard]] Geometry geometry() const { return {dimensions, layered, cube}; }
};
static_assert(sizeof(SampleForm) == sizeof(Op::immediate));

// The elements of the detail: four results, the coordinates, and then gradients along x and y.
constexpr std::size_t kResults = 4;
constexpr unsigned kLevel = 1;  // operand with the level

using Texels = std::array<Channels, semantics::kMostTaps>;

/// The channels of 32 lanes, and their undefined bits.
struct Samples {
  std::array<Channels, kLanes> value{};
  std::array<Channels, kLanes> undefined{};
};

/// Reads texels and combines them, for lanes that use one texture.
class Sampling {
 public:
  Sampling(Warp& warp, const Op& op, const SampleForm& form, const Texture& texture, Mask lanes)
      : warp_(warp), op_(op), form_(form), texture_(texture), lanes_(lanes) {}

  Samples run() {
    Samples samples;
    std::array<Taps, kLanes> taps;
    std::array<Texels, kLanes> texels{};
    unsigned most = 0;
    each(lanes_, [&](unsigned lane) {
      taps[lane] = taps_of(lane);
      most = std::max(most, taps[lane].count);
    });
    for (unsigned i = 0; i < most; ++i) {
      TexelAddresses addresses{};
      Mask inside = 0;
      each(lanes_, [&](unsigned lane) {
        if (i >= taps[lane].count) return;
        const semantics::Tap& tap = taps[lane].tap[i];
        if (!tap.border) {
          addresses[lane] = address_of_texel(tap);
          inside |= Mask{1} << lane;
        } else if (!form_.integer_coordinates) {
          texels[lane][i] = semantics::border_channels(texture_.image.format, texture_.sampler);
        }
      });
      if (inside != 0) read_texels(inside, addresses, i, texels, samples);
    }
    each(lanes_, [&](unsigned lane) {
      combine(lane, taps[lane], texels[lane], samples);
      if (reads_undefined(lane)) samples.undefined[lane].fill(~0U);
    });
    return samples;
  }

 private:
  template <class F>
  static void each(Mask lanes, F f) {
    for (; lanes != 0; lanes &= lanes - 1) f(machine::lowest(lanes));
  }

  [[nodiscard]] Slot coordinate_slot(std::size_t index) const {
    return op_.detail->elements[kResults + index];
  }
  template <class T>
  [[nodiscard]] T coordinate(std::size_t index, unsigned lane) const {
    return warp_.lanes<T>(coordinate_slot(index))[lane];
  }

  /// True if a coordinate, a level or a gradient of the lane is undefined.
  [[nodiscard]] bool reads_undefined(unsigned lane) const {
    const auto undefined = [&](Slot slot) { return (warp_.defined(slot) >> lane & 1) == 0; };
    const auto& elements = op_.detail->elements;
    return std::any_of(elements.begin() + kResults, elements.end(), undefined) ||
           (form_.detail == Detail::level && undefined(op_.operand[kLevel]));
  }

  template <class Position>
  void read_position(unsigned lane, Position& at) const {
    std::size_t next = 0;
    if (form_.layered) at.layer = coordinate<std::uint32_t>(next++, lane);
    for (unsigned axis = 0; axis < form_.dimensions; ++axis) {
      at.position[axis] = coordinate<typename decltype(at.position)::value_type>(next++, lane);
    }
  }

  [[nodiscard]] semantics::Levels levels_of(unsigned lane) const {
    if (form_.detail == Detail::level) {
      const Slot slot = op_.operand[kLevel];
      const float level = form_.integer_coordinates
                              ? static_cast<float>(warp_.lanes<std::int32_t>(slot)[lane])
                              : warp_.lanes<float>(slot)[lane];
      return semantics::levels_at(texture_.image, texture_.sampler, level);
    }
    if (form_.detail != Detail::gradients) {
      return semantics::levels_at(texture_.image, texture_.sampler, std::nullopt);
    }
    const std::size_t first = form_.dimensions + (form_.layered ? 1 : 0);
    std::array<float, 3> dx{};
    std::array<float, 3> dy{};
    for (unsigned axis = 0; axis < form_.dimensions; ++axis) {
      dx[axis] = coordinate<float>(first + axis, lane);
      dy[axis] = coordinate<float>(first + form_.dimensions + axis, lane);
    }
    return semantics::levels_at(
        texture_.image, texture_.sampler,
        semantics::level_of_gradients(texture_.image, texture_.sampler, dx, dy));
  }

  [[nodiscard]] Taps taps_of(unsigned lane) const {
    const device::Image& image = texture_.image;
    const semantics::Levels levels = levels_of(lane);
    if (form_.integer_coordinates) {
      semantics::TexelCoordinates at;
      read_position(lane, at);
      return semantics::taps_at(image, at, levels.first);
    }
    semantics::Coordinates at;
    read_position(lane, at);
    // Coordinate of the only row.
    if (form_.dimensions < image.dimensions) at.position[form_.dimensions] = 0.5F;
    return form_.detail == Detail::gather
               ? semantics::gathered_taps_at(image, texture_.sampler, at, levels.first)
               : semantics::taps_at(image, texture_.sampler, at, levels);
  }

  [[nodiscard]] std::uint64_t address_of_texel(const semantics::Tap& tap) const {
    const device::ImageLevel& level = texture_.image.levels[tap.level];
    return level.address + tap.slice * level.slice_pitch + tap.y * level.row_pitch +
           std::uint64_t{tap.x} * texture_.image.format.bytes();
  }

  void read_texels(Mask lanes, const TexelAddresses& addresses, unsigned tap,
                   std::array<Texels, kLanes>& texels, Samples& samples) {
    const std::size_t bytes = texture_.image.format.bytes();
    access_texels(warp_, op_, texture_, lanes, addresses, {bytes, false},
                  [&](const ResolvedAccess& access, Mask found) {
                    each(found, [&](unsigned lane) {
                      const std::byte* const data = access.data + access.offset[lane];
                      texels[lane][tap] =
                          semantics::texel_channels(texture_.image.format, texture_.sampler, data);
                      note_undefined(access.shadow + access.offset[lane], tap,
                                     samples.undefined[lane]);
                    });
                    machine::observe_read(warp_, op_, access, found, bytes);
                  });
  }

  /// Adds the undefined bits of a texel to those of the channels; for tld4, to the result for the
  /// texel.
  void note_undefined(const std::byte* shadow, unsigned tap, Channels& undefined) const {
    const device::TexelFormat& format = texture_.image.format;
    for (unsigned channel = 0; channel < format.channels; ++channel) {
      const unsigned bytes = format.bits / 8;
      std::uint32_t known = ~0U;
      std::memcpy(&known, shadow + channel * bytes, bytes);
      if (known == ~0U) continue;
      if (form_.detail != Detail::gather) {
        undefined[channel] |= format.bits == 32 && !texture_.sampler.linear ? ~known : ~0U;
      } else if (channel == form_.component) {
        undefined[tap] = ~0U;
      }
    }
  }

  void combine(unsigned lane, const Taps& taps, const Texels& texels, Samples& samples) const {
    if (form_.detail != Detail::gather) {
      samples.value[lane] =
          semantics::filter(texture_.image.format, texture_.sampler, taps, texels);
      return;
    }
    for (unsigned i = 0; i < 4; ++i) samples.value[lane][i] = texels[i][form_.component];
  }

  Warp& warp_;
  const Op& op_;
  const SampleForm& form_;
  const Texture& texture_;
  Mask lanes_;
};

Flow sample(Warp& warp, const Op& op) {
  const auto form = std::bit_cast<SampleForm>(op.immediate);
  Samples all;
  for (Mask rest = warp.active(); rest != 0;) {
    const UsedObject object = take_object(warp, op, form.geometry(), false, rest);
    if (warp.block().faulted()) return Flow::leave;
    if (object.texture == nullptr) continue;
    const Samples samples = Sampling(warp, op, form, *object.texture, object.lanes).run();
    for (Mask lanes = object.lanes; lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = machine::lowest(lanes);
      all.value[lane] = samples.value[lane];
      all.undefined[lane] = samples.undefined[lane];
    }
  }
  for (Mask lanes = warp.active(); lanes != 0; lanes &= lanes - 1) {
    const unsigned lane = machine::lowest(lanes);
    for (std::size_t i = 0; i < kResults; ++i) {
      put(warp, op.detail->elements[i], 4, lane, all.value[lane][i], all.undefined[lane][i]);
    }
  }
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

/// Decodes a gradient: a register, or a vector with as many registers as the geometry has axes.
void lower_gradient(Lowering& lowering, std::size_t index, unsigned dimensions) {
  if (lowering.operand_count() <= index) throw DecodeError("a gradient is missing");
  auto& elements = lowering.detail().elements;
  const ptx::Operand& operand = lowering.instruction.operands[index];
  const auto* vector = std::get_if<ptx::Vector>(&operand);
  if (vector == nullptr && dimensions == 1) {
    elements.push_back(lowering.source(operand, Type::f32));
    return;
  }
  if (vector == nullptr || vector->elements.size() < dimensions) {
    throw DecodeError("a gradient is missing");
  }
  for (unsigned axis = 0; axis < dimensions; ++axis) {
    elements.push_back(lowering.source_element(vector->elements[axis], Type::f32));
  }
}

/// `{d0, d1, d2, d3}, [texture, {coordinates}]{, level}{, gradient, gradient}`.
void lower_sample(Lowering& lowering) {
  const Selection& s = lowering.selection;
  const Geometry geometry = geometry_of(s);
  SampleForm form;
  form.dimensions = static_cast<std::uint8_t>(geometry.dimensions);
  form.layered = geometry.layered;
  form.cube = geometry.cube;
  form.integer_coordinates = s.type(1) == Type::s32;
  const auto* results = lowering.operand<ptx::Vector>(0);
  if (results == nullptr || results->elements.size() != kResults) {
    throw DecodeError("four results are expected");
  }
  for (const ptx::Element& element : results->elements) {
    lowering.detail().elements.push_back(lowering.destination_element(element, Type::b32));
  }
  lower_object(lowering, 1, geometry, s.type(1));
  std::size_t expected = 2;
  if (lowering.instruction.parts.front() == "tld4") {
    constexpr std::string_view kComponents = "rgba";
    form.detail = Detail::gather;
    for (std::size_t i = 0; i < kComponents.size(); ++i) {
      if (s.has(kComponents.substr(i, 1))) form.component = static_cast<std::uint8_t>(i);
    }
  } else if (s.has("level")) {
    form.detail = Detail::level;
    if (lowering.operand_count() < 3) throw DecodeError("the level is missing");
    lowering.result.operand[kLevel] = lowering.source(lowering.instruction.operands[2], s.type(1));
    expected = 3;
  } else if (s.has("grad")) {
    form.detail = Detail::gradients;
    lower_gradient(lowering, 2, geometry.dimensions);
    lower_gradient(lowering, 3, geometry.dimensions);
    expected = 4;
  }
  if (lowering.operand_count() != expected) {
    throw DecodeError("offsets and depth comparisons are not supported");
  }
  lowering.result.immediate = std::bit_cast<std::int64_t>(form);
  lowering.result.run = sample;
  lowering.result.path = machine::ReadPath::texture;
}

constexpr std::string_view kSamples = "f32.f32 s32.f32 u32.f32";
constexpr std::string_view kAll = "f32.f32 s32.f32 u32.f32 f32.s32 s32.s32 u32.s32";

constexpr Form form(std::string_view mnemonic, std::string_view modifiers, std::string_view types) {
  return {mnemonic, modifiers, types,       "", mnemonic == "tex" ? "9.7.10.3" : "9.7.10.4",
          nullptr,  nullptr,   lower_sample};
}

constexpr std::array kForms = {
    form("tex", "1d|2d|3d|a1d|a2d v4", kAll),          form("tex", "cube|acube v4", kSamples),
    form("tex", "level 1d|2d|3d|a1d|a2d v4", kAll),    form("tex", "level cube|acube v4", kSamples),
    form("tex", "grad 1d|2d|3d|a1d|a2d v4", kSamples), form("tld4", "r|g|b|a 2d v4", kSamples),
};

}  // namespace

std::span<const Form> texture_forms() { return kForms; }

}  // namespace warpcheck::isa
