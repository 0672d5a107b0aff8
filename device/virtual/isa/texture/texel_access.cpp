#include "device/virtual/isa/texture/texel_access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "device/virtual/machine/memory/textures.hpp"

namespace warpcheck::isa {
namespace {

using machine::Mask;
using machine::Slot;

std::size_t coordinate_count(const Geometry& geometry) {
  return geometry.dimensions + (geometry.layered ? 1 : 0);
}

/// "a layered 2-d image".
std::string describe(bool layered, bool cube, unsigned dimensions) {
  return fmt::format("a {}{}", layered ? "layered " : "",
                     cube ? "cube map" : fmt::format("{}-d image", dimensions));
}

/// True if a 1-d instruction reads the image as its only row: cudaMallocArray() with a height of 1
/// creates such a 2-d image. On an H200, tex1D() returns the texels of the row.
bool is_row(const device::Image& image) {
  return image.dimensions == 2 && !image.layered && !image.cube && image.levels.front().height == 1;
}

/// The reason why no lane can use the object; empty: lanes can use it.
std::string refusal(const machine::Textures::Object* object, std::uint64_t handle,
                    const Geometry& geometry, bool surface) {
  const char* const kind = surface ? "surface" : "texture";
  if (object == nullptr) return fmt::format("{:#x} is no {} object", handle, kind);
  const device::Texture& texture = object->texture;
  if (texture.is_surface != surface) {
    return fmt::format("{} is {} object", texture.name,
                       surface ? "a texture, not a surface" : "a surface, not a texture");
  }
  const device::Image& image = texture.image;
  const unsigned dimensions = geometry.cube ? 2 : geometry.dimensions;
  // The faces of a cube map are the layers of a surface.
  const bool cube = image.cube && !surface;
  const bool layered = image.layered || (image.cube && surface);
  if (image.dimensions == dimensions && cube == geometry.cube && layered == geometry.layered) {
    return {};
  }
  if (dimensions == 1 && !geometry.layered && is_row(image)) return {};
  return fmt::format("the instruction reads {}, but {} is {}",
                     describe(geometry.layered, geometry.cube, dimensions), texture.name,
                     describe(layered, cube, image.dimensions));
}

}  // namespace

Geometry geometry_of(const Selection& selection) {
  if (selection.has("1d")) return {1};
  if (selection.has("2d")) return {2};
  if (selection.has("3d")) return {3};
  if (selection.has("a1d")) return {1, true};
  if (selection.has("a2d")) return {2, true};
  return {3, selection.has("acube"), true};
}

void lower_object(Lowering& lowering, std::size_t index, const Geometry& geometry, Type type) {
  const auto* object = lowering.operand<ptx::Address>(index);
  const auto* handle = object == nullptr ? nullptr : std::get_if<ptx::Register>(&object->base);
  if (handle == nullptr || object->offset != 0) {
    throw DecodeError("only texture and surface objects in registers are supported");
  }
  if (!object->more_bases.empty()) {
    throw DecodeError("samplers that are separate from their textures are not supported");
  }
  lowering.result.operand[kHandle] = lowering.source(ptx::Operand(*handle), Type::b64);
  lowering.result.space = machine::Space::global;
  const std::size_t count = coordinate_count(geometry);
  if (object->coordinates.size() < count) throw DecodeError("a coordinate is missing");
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_layer = geometry.layered && i == 0;
    const Slot slot = lowering.source_element(object->coordinates[i], is_layer ? Type::u32 : type);
    if (slot == machine::kNoSlot) throw DecodeError("a coordinate is missing");
    lowering.detail().elements.push_back(slot);
  }
}

void lower_elements(Lowering& lowering, const ptx::Operand& operand, Type type, bool results) {
  const auto add = [&](const ptx::Element& element) {
    const auto* reg = std::get_if<ptx::Register>(&element);
    const unsigned bits =
        reg == nullptr ? bits_of(type) : bits_of(lowering.function.register_type(reg->index));
    lowering.detail().elements.push_back(results ? lowering.destination_element(element, type, true)
                                                 : lowering.source_element(element, type, true));
    lowering.detail().element_bits.push_back(static_cast<std::uint8_t>(bits));
  };
  if (const auto* vector = std::get_if<ptx::Vector>(&operand)) {
    for (const ptx::Element& element : vector->elements) add(element);
  } else if (const auto* reg = std::get_if<ptx::Register>(&operand)) {
    add(*reg);
  } else if (const auto* integer = std::get_if<ptx::Integer>(&operand)) {
    add(*integer);
  } else {
    throw DecodeError("registers are expected");
  }
}

void put(Warp& warp, Slot slot, unsigned bytes, unsigned lane, std::uint64_t value,
         std::uint64_t undefined) {
  if (slot == machine::kNoSlot) return;
  const std::size_t offset = std::size_t{lane} * bytes;
  std::memcpy(warp.lanes<std::byte>(slot) + offset, &value, bytes);
  warp.set_defined(slot, Mask{1} << lane, undefined == 0 ? machine::kAllLanes : 0);
  if (undefined != 0) std::memcpy(warp.undefined_bits(slot) + offset, &undefined, bytes);
}

UsedObject take_object(Warp& warp, const Op& op, const Geometry& geometry, bool surface,
                       Mask& rest) {
  const Slot slot = op.operand[kHandle];
  if (const Mask unknown = rest & ~warp.defined(slot)) {
    rest &= ~unknown;
    static_cast<void>(warp.goes_on_after(
        op, unknown, FindingClass::uninitialized_read,
        surface ? "the surface object is undefined" : "the texture object is undefined"));
    return {nullptr, unknown};
  }
  const auto* const handles = warp.lanes<std::uint64_t>(slot);
  const std::uint64_t handle = handles[machine::lowest(rest)];
  Mask lanes = 0;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    lanes |= Mask{handles[lane] == handle} << lane & rest;
  }
  rest &= ~lanes;
  const machine::Textures* const textures = warp.block().launch().textures;
  const auto* const object = textures == nullptr ? nullptr : textures->find(handle);
  std::string refused = refusal(object, handle, geometry, surface);
  if (!refused.empty()) {
    static_cast<void>(
        warp.goes_on_after(op, lanes, FindingClass::invalid_call, std::move(refused)));
    return {nullptr, lanes};
  }
  if (object->destroyed) {
    static_cast<void>(warp.goes_on_after(
        op, lanes, FindingClass::use_after_free,
        fmt::format("{} was destroyed before the launch", object->texture.name)));
    return {nullptr, lanes};
  }
  return {&object->texture, lanes};
}

}  // namespace warpcheck::isa
