// suld.b, sust.b and sust.p with surface objects (PTX ISA 9.7.11).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/isa/texture/texel_access.hpp"
#include "device/virtual/machine/lanes/store_turn.hpp"
#include "device/virtual/semantics/texture.hpp"

namespace warpcheck::isa {
namespace {

using device::ImageLevel;
using device::Texture;
using machine::Flow;
using machine::kLanes;
using machine::Mask;
using machine::ResolvedAccess;
using machine::Slot;

/// Behaviour of an access outside the surface.
enum class Boundary : std::uint8_t { trap, clamp, zero };

/// The contents of Op::immediate.
struct SurfaceForm {
  Boundary boundary = Boundary::trap;
  std::uint8_t dimensions = 0;
  bool layered = false;
  bool formatted = false;          // sust.p: coordinates are texels
  std::uint8_t count = 1;          // number of values
  std::uint8_t element_bytes = 4;  // bytes of one value
  std::array<std::uint8_t, 2> unused{};

  [[nodiscard]] Geometry geometry() const { return {dimensions, layered, false}; }
  [[nodiscard]] std::size_t coordinates() const { return dimensions + (layered ? 1U : 0U); }
};
static_assert(sizeof(SurfaceForm) == sizeof(Op::immediate));

// The elements of the detail are the values, then the coordinates.

/// The places where lanes access a surface. Lanes that are outside, and do not access it, are not
/// in `inside`.
struct Places {
  Mask inside = 0;
  TexelAddresses address{};
};

/// "byte 64 of row 3", and the layer or slice if the surface has them.
std::string describe(const SurfaceForm& form, std::int64_t x, std::int64_t y, std::int64_t slice) {
  std::string text = fmt::format("{} {}", form.formatted ? "texel" : "byte", x);
  if (form.dimensions > 1) text += fmt::format(" of row {}", y);
  if (form.layered) return text + fmt::format(" of layer {}", slice);
  return form.dimensions > 2 ? text + fmt::format(" of slice {}", slice) : text;
}

class SurfaceAccess {
 public:
  SurfaceAccess(Warp& warp, const Op& op, const Texture& surface, bool store)
      : warp_(warp),
        op_(op),
        form_(std::bit_cast<SurfaceForm>(op.immediate)),
        surface_(surface),
        store_(store) {}

  /// Bytes that a lane accesses.
  [[nodiscard]] std::size_t bytes() const {
    return form_.formatted ? surface_.image.format.bytes()
                           : std::size_t{form_.count} * form_.element_bytes;
  }

  [[nodiscard]] Places places(Mask lanes) {
    Places places;
    for (; lanes != 0 && !warp_.block().faulted(); lanes &= lanes - 1) {
      const unsigned lane = machine::lowest(lanes);
      if (place(lane, places.address[lane])) places.inside |= Mask{1} << lane;
    }
    return places;
  }

 private:
  /// Sets the address of the lane. Returns false if it accesses nothing.
  bool place(unsigned lane, std::uint64_t& address) {
    const ImageLevel& level = surface_.image.levels.front();
    std::size_t next = 0;
    const auto coordinate = [&] {
      return std::int64_t{
          warp_.lanes<std::int32_t>(op_.detail->elements[form_.count + next++])[lane]};
    };
    std::int64_t slice = form_.layered ? static_cast<std::uint32_t>(coordinate()) : 0;
    std::int64_t x = coordinate();
    std::int64_t y = form_.dimensions > 1 ? coordinate() : 0;
    if (form_.dimensions > 2) slice = coordinate();
    const auto texel = static_cast<std::int64_t>(surface_.image.format.bytes());
    const auto size = static_cast<std::int64_t>(bytes());
    const std::int64_t last_x =
        form_.formatted ? std::int64_t{level.width} - 1 : std::int64_t{level.width} * texel - size;
    const std::int64_t last_y = std::int64_t{level.height} - 1;
    const std::int64_t last_slice = (form_.layered ? layers() : std::int64_t{level.depth}) - 1;
    const auto within = [](std::int64_t value, std::int64_t last) {
      return value >= 0 && value <= last;
    };
    if (!within(x, last_x) || !within(y, last_y) || !within(slice, last_slice)) {
      if (form_.boundary == Boundary::trap) report(lane, describe(form_, x, y, slice), level);
      if (form_.boundary != Boundary::clamp) return false;
      x = std::clamp<std::int64_t>(x, 0, std::max<std::int64_t>(last_x, 0));
      y = std::clamp<std::int64_t>(y, 0, last_y);
      slice = std::clamp<std::int64_t>(slice, 0, last_slice);
    }
    if (!form_.formatted && x % size != 0) {
      report_misaligned(lane, x, size);
      return false;
    }
    address = level.address + static_cast<std::uint64_t>(slice) * level.slice_pitch +
              static_cast<std::uint64_t>(y) * level.row_pitch +
              static_cast<std::uint64_t>(form_.formatted ? x * texel : x);
    return true;
  }

  /// The number of layers, or of faces of cubes.
  [[nodiscard]] std::int64_t layers() const {
    return std::int64_t{surface_.image.layers} * (surface_.image.cube ? 6 : 1);
  }
  [[nodiscard]] const char* verb() const { return store_ ? "store to" : "load from"; }

  void report(unsigned lane, const std::string& place, const ImageLevel& level) {
    const std::size_t texel = surface_.image.format.bytes();
    std::string extent = form_.formatted ? fmt::format("{} texels", level.width)
                                         : fmt::format("{} bytes", level.width * texel);
    if (form_.dimensions > 1) extent = fmt::format("{} rows of {}", level.height, extent);
    if (form_.layered) extent += fmt::format(" in each of {} layers", layers());
    if (form_.dimensions > 2) extent += fmt::format(" in each of {} slices", level.depth);
    static_cast<void>(
        warp_.goes_on_after(op_, Mask{1} << lane, FindingClass::out_of_bounds,
                            fmt::format("{}-byte surface {} {} of {}, which has {}", bytes(),
                                        verb(), place, surface_.name, extent)));
  }

  void report_misaligned(unsigned lane, std::int64_t x, std::int64_t size) {
    static_cast<void>(warp_.goes_on_after(
        op_, Mask{1} << lane, FindingClass::misaligned,
        fmt::format("{}-byte surface {} byte {} of a row of {}: it is no multiple of {}", size,
                    verb(), x, surface_.name, size)));
  }

  Warp& warp_;
  const Op& op_;
  SurfaceForm form_;
  const Texture& surface_;
  bool store_;
};

/// Calls body(surface, access, places) for each object that lanes use. Lanes with an undefined
/// coordinate are reported, and access nothing.
template <class Body>
Flow for_each_surface(Warp& warp, const Op& op, bool store, Body body) {
  const auto form = std::bit_cast<SurfaceForm>(op.immediate);
  Mask rest = warp.active();
  Mask unknown = 0;
  for (std::size_t i = 0; i < form.coordinates(); ++i) {
    unknown |= rest & ~warp.defined(op.detail->elements[form.count + i]);
  }
  if (unknown != 0) {
    if (!warp.goes_on_after(op, unknown, FindingClass::uninitialized_read,
                            "a coordinate of the surface is undefined")) {
      return Flow::leave;
    }
    rest &= ~unknown;
  }
  while (rest != 0) {
    const UsedObject object = take_object(warp, op, form.geometry(), true, rest);
    if (warp.block().faulted()) return Flow::leave;
    if (object.texture == nullptr) continue;
    SurfaceAccess access(warp, op, *object.texture, store);
    const Places places = access.places(object.lanes);
    if (warp.block().faulted()) return Flow::leave;
    if (places.inside == 0) continue;
    access_texels(warp, op, *object.texture, places.inside, places.address, {access.bytes(), store},
                  [&](const ResolvedAccess& resolved, Mask lanes) {
                    body(*object.texture, resolved, lanes, access.bytes());
                  });
  }
  return warp.block().faulted() ? Flow::leave : Flow::next;
}

Flow load(Warp& warp, const Op& op) {
  const auto form = std::bit_cast<SurfaceForm>(op.immediate);
  struct Element {
    std::uint64_t value = 0;
    std::uint64_t undefined = 0;
  };
  std::array<std::array<Element, 4>, kLanes> loaded{};  // 0 where nothing is read
  const Flow flow = for_each_surface(
      warp, op, false,
      [&](const Texture&, const ResolvedAccess& access, Mask lanes, std::size_t bytes) {
        for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
          const unsigned lane = machine::lowest(rest);
          for (unsigned i = 0; i < form.count; ++i) {
            const std::size_t at = access.offset[lane] + std::size_t{i} * form.element_bytes;
            std::uint64_t known = ~std::uint64_t{0};
            std::memcpy(&loaded[lane][i].value, access.data + at, form.element_bytes);
            std::memcpy(&known, access.shadow + at, form.element_bytes);
            loaded[lane][i].undefined = ~known;
          }
        }
        machine::observe_read(warp, op, access, lanes, bytes);
      });
  for (Mask rest = warp.active(); rest != 0; rest &= rest - 1) {
    const unsigned lane = machine::lowest(rest);
    for (unsigned i = 0; i < form.count; ++i) {
      put(warp, op.detail->elements[i], op.detail->element_bits[i] / 8U, lane,
          loaded[lane][i].value, loaded[lane][i].undefined);
    }
  }
  return flow;
}

/// The bytes that a lane stores, and their shadow.
struct Stored {
  std::array<std::byte, 16> data{};
  std::array<std::byte, 16> shadow{};
};

Stored stored_by(const Warp& warp, const Op& op, const SurfaceForm& form, const Texture& surface,
                 unsigned lane) {
  Stored stored;
  semantics::Channels channels{};
  bool defined = true;
  for (unsigned i = 0; i < form.count; ++i) {
    const Slot slot = op.detail->elements[i];
    const std::size_t offset = std::size_t{lane} * op.detail->element_bits[i] / 8;
    std::uint64_t value = 0;
    std::uint64_t undefined = 0;
    std::memcpy(&value, warp.lanes<std::byte>(slot) + offset, form.element_bytes);
    if ((warp.defined(slot) >> lane & 1) == 0) {
      std::memcpy(&undefined, warp.undefined_bits(slot) + offset, form.element_bytes);
    }
    defined = defined && undefined == 0;
    const std::uint64_t known = ~undefined;
    if (form.formatted) {
      channels[i] = static_cast<std::uint32_t>(value);
    } else {
      std::memcpy(&stored.data[i * form.element_bytes], &value, form.element_bytes);
      std::memcpy(&stored.shadow[i * form.element_bytes], &known, form.element_bytes);
    }
  }
  if (form.formatted) {
    stored.data = semantics::formatted_texel(surface.image.format, channels);
    stored.shadow.fill(defined ? std::byte{0xff} : std::byte{0});
  }
  return stored;
}

Flow store(Warp& warp, const Op& op) {
  const auto form = std::bit_cast<SurfaceForm>(op.immediate);
  return for_each_surface(
      warp, op, true,
      [&](const Texture& surface, const ResolvedAccess& access, Mask lanes, std::size_t bytes) {
        const auto turn = machine::take_store_turn(warp, access);
        Mask rewrites = 0;
        Mask undefined = 0;
        for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
          const unsigned lane = machine::lowest(rest);
          const Stored stored = stored_by(warp, op, form, surface, lane);
          std::byte* const data = access.data + access.offset[lane];
          rewrites |= Mask{std::memcmp(data, stored.data.data(), bytes) == 0} << lane;
          const auto is_known = [](std::byte bits) { return bits == std::byte{0xff}; };
          if (!std::all_of(stored.shadow.begin(), stored.shadow.begin() + bytes, is_known)) {
            undefined |= Mask{1} << lane;
          }
          std::memcpy(data, stored.data.data(), bytes);
          std::memcpy(access.shadow + access.offset[lane], stored.shadow.data(), bytes);
        }
        if (undefined != 0) machine::report_undefined_store(warp, op, access, undefined, 0, bytes);
        machine::observe_write(warp, op, access, lanes, bytes, rewrites);
      });
}

SurfaceForm form_of(const Selection& s) {
  const Geometry geometry = geometry_of(s);
  SurfaceForm form;
  form.boundary = s.has("clamp")  ? Boundary::clamp
                  : s.has("zero") ? Boundary::zero
                                  : Boundary::trap;
  form.dimensions = static_cast<std::uint8_t>(geometry.dimensions);
  form.layered = geometry.layered;
  form.formatted = s.has("p");
  form.count = s.has("v2") ? 2 : s.has("v4") ? 4 : 1;
  form.element_bytes = static_cast<std::uint8_t>(ptx::bytes(s.type()));
  return form;
}

/// `d, [surface, {coordinates}]` or `[surface, {coordinates}], values`.
void lower_surface(Lowering& lowering, std::size_t object, std::size_t values, bool is_load) {
  if (lowering.operand_count() != 2) throw DecodeError("values and [surface, {...}] are expected");
  const Type type = lowering.selection.type();
  const SurfaceForm form = form_of(lowering.selection);
  lower_elements(lowering, lowering.instruction.operands[values], type, is_load);
  const auto& elements = lowering.detail().elements;
  if (elements.size() != form.count) throw DecodeError("the number of values differs from .v");
  if (!is_load && std::count(elements.begin(), elements.end(), machine::kNoSlot) != 0) {
    throw DecodeError("a value is missing");
  }
  lower_object(lowering, object, form.geometry(), Type::s32);
  lowering.result.immediate = std::bit_cast<std::int64_t>(form);
  lowering.result.run = is_load ? load : store;
  if (is_load) lowering.result.path = machine::ReadPath::texture;
}

void lower_load(Lowering& lowering) { lower_surface(lowering, 1, 0, true); }
void lower_store(Lowering& lowering) { lower_surface(lowering, 0, 1, false); }

#define WARPCHECK_SURFACE "1d|2d|3d|a1d|a2d [v2|v4] [trap|clamp|zero]"

constexpr std::array kForms = {
    Form{"suld", "b [ca|cg|cs|cv] " WARPCHECK_SURFACE, "b8 b16 b32 b64", "", "9.7.11.1", nullptr,
         nullptr, lower_load},
    Form{"sust", "b [wb|cg|cs|wt] " WARPCHECK_SURFACE, "b8 b16 b32 b64", "", "9.7.11.2", nullptr,
         nullptr, lower_store},
    Form{"sust", "p [wb|cg|cs|wt] " WARPCHECK_SURFACE, "b32 u32 s32 f32", "", "9.7.11.2", nullptr,
         nullptr, lower_store},
};

#undef WARPCHECK_SURFACE

}  // namespace

std::span<const Form> surface_forms() { return kForms; }

}  // namespace warpcheck::isa
