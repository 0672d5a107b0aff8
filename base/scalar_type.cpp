#include "base/scalar_type.hpp"

#include <array>

namespace warpcheck {
namespace {

struct Format {
  ScalarType type;
  std::string_view name;
  std::size_t bytes;
  double unit_roundoff;
};

constexpr std::array kFormats = {
    Format{ScalarType::f16, "f16", 2, 0x1p-11},   Format{ScalarType::bf16, "bf16", 2, 0x1p-8},
    Format{ScalarType::tf32, "tf32", 4, 0x1p-11}, Format{ScalarType::f32, "f32", 4, 0x1p-24},
    Format{ScalarType::f64, "f64", 8, 0x1p-53},   Format{ScalarType::s8, "s8", 1, 0.0},
    Format{ScalarType::u8, "u8", 1, 0.0},         Format{ScalarType::s32, "s32", 4, 0.0},
    Format{ScalarType::s64, "s64", 8, 0.0},       Format{ScalarType::e4m3, "e4m3", 1, 0x1p-4},
    Format{ScalarType::e5m2, "e5m2", 1, 0x1p-3},
};

constexpr const Format& format(ScalarType type) { return kFormats[static_cast<std::size_t>(type)]; }

constexpr bool rows_follow_the_enum() {
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (kFormats[i].type != static_cast<ScalarType>(i)) return false;
  }
  return true;
}
static_assert(rows_follow_the_enum());

}  // namespace

std::string_view name(ScalarType type) { return format(type).name; }

std::optional<ScalarType> scalar_type(std::string_view name) {
  for (const Format& row : kFormats) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

std::size_t size_of(ScalarType type) { return format(type).bytes; }

double unit_roundoff(ScalarType type) { return format(type).unit_roundoff; }

}  // namespace warpcheck
