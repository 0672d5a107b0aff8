// txq and suq with texture and surface objects (PTX ISA 9.7.10.5, 9.7.11.4), and istypep.
#include <array>
#include <cstdint>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/texture/texel_access.hpp"

namespace warpcheck::isa {
namespace {

using device::Image;
using device::TexelFormat;
using device::Texture;
using machine::Flow;
using machine::Mask;

/// The value of an attribute of an object.
using Attribute = std::uint32_t (*)(const Texture&);

std::uint32_t width(const Texture& texture) { return texture.image.levels.front().width; }
std::uint32_t height(const Texture& texture) {
  return texture.image.dimensions < 2 ? 0 : texture.image.levels.front().height;
}
std::uint32_t depth(const Texture& texture) {
  return texture.image.dimensions < 3 ? 0 : texture.image.levels.front().depth;
}
std::uint32_t layers(const Texture& texture) {
  return texture.image.layered ? texture.image.layers : 0;
}
std::uint32_t mipmap_levels(const Texture& texture) {
  return static_cast<std::uint32_t>(texture.image.levels.size());
}

template <Attribute attribute>
Flow query(Warp& warp, const Op& op) {
  const bool surface = op.immediate != 0;
  for (Mask rest = warp.active(); rest != 0;) {
    const UsedObject object = take_object(warp, op, {}, surface, rest);
    if (warp.block().faulted()) return Flow::leave;
    const std::uint32_t value = object.texture == nullptr ? 0 : attribute(*object.texture);
    for (Mask lanes = object.lanes; lanes != 0; lanes &= lanes - 1) {
      put(warp, op.detail->elements[0], 4, machine::lowest(lanes), value, 0);
    }
  }
  return Flow::next;
}

Handler attribute_of(const Selection& s) {
  if (s.has("width")) return query<width>;
  if (s.has("height")) return query<height>;
  if (s.has("depth")) return query<depth>;
  if (s.has("array_size")) return query<layers>;
  return s.has("num_mipmap_levels") ? query<mipmap_levels> : nullptr;
}

/// `d, [object]`.
void lower_query(Lowering& lowering) {
  if (lowering.operand_count() != 2) throw DecodeError("a result and [object] are expected");
  lowering.detail().elements.push_back(
      lowering.destination(lowering.instruction.operands[0], Type::b32));
  lower_object(lowering, 1, {}, Type::none);
  lowering.result.immediate = lowering.instruction.parts.front() == "suq" ? 1 : 0;
  lowering.result.run = attribute_of(lowering.selection);
}

constexpr std::array kForms = {
    Form{"txq", "width|height|depth|array_size|num_mipmap_levels", "b32", "", "9.7.10.5", nullptr,
         nullptr, lower_query},
    Form{"suq", "width|height|depth|array_size", "b32", "", "9.7.11.4", nullptr, nullptr,
         lower_query},
};

}  // namespace

std::span<const Form> texture_query_forms() { return kForms; }

}  // namespace warpcheck::isa
