#include "ptx/type.hpp"

#include <array>

namespace warpcheck::ptx {
namespace {

enum class Kind : std::uint8_t { other, bits, unsigned_integer, signed_integer, floating };

struct Row {
  Type type;
  std::string_view name;
  std::size_t bytes;
  Kind kind;
};

constexpr std::array kTypes = {
    Row{Type::none, "", 0, Kind::other},
    Row{Type::pred, "pred", 1, Kind::other},
    Row{Type::b8, "b8", 1, Kind::bits},
    Row{Type::b16, "b16", 2, Kind::bits},
    Row{Type::b32, "b32", 4, Kind::bits},
    Row{Type::b64, "b64", 8, Kind::bits},
    Row{Type::b128, "b128", 16, Kind::bits},
    Row{Type::u8, "u8", 1, Kind::unsigned_integer},
    Row{Type::u16, "u16", 2, Kind::unsigned_integer},
    Row{Type::u32, "u32", 4, Kind::unsigned_integer},
    Row{Type::u64, "u64", 8, Kind::unsigned_integer},
    Row{Type::s8, "s8", 1, Kind::signed_integer},
    Row{Type::s16, "s16", 2, Kind::signed_integer},
    Row{Type::s32, "s32", 4, Kind::signed_integer},
    Row{Type::s64, "s64", 8, Kind::signed_integer},
    Row{Type::f16, "f16", 2, Kind::floating},
    Row{Type::f32, "f32", 4, Kind::floating},
    Row{Type::f64, "f64", 8, Kind::floating},
    Row{Type::bf16, "bf16", 2, Kind::floating},
    Row{Type::tf32, "tf32", 4, Kind::floating},
    Row{Type::e4m3, "e4m3", 1, Kind::floating},
    Row{Type::e5m2, "e5m2", 1, Kind::floating},
    Row{Type::u16x2, "u16x2", 4, Kind::unsigned_integer},
    Row{Type::s16x2, "s16x2", 4, Kind::signed_integer},
    Row{Type::f16x2, "f16x2", 4, Kind::floating},
    Row{Type::bf16x2, "bf16x2", 4, Kind::floating},
    Row{Type::e4m3x2, "e4m3x2", 2, Kind::floating},
    Row{Type::e5m2x2, "e5m2x2", 2, Kind::floating},
    Row{Type::texref, "texref", 8, Kind::other},
    Row{Type::samplerref, "samplerref", 8, Kind::other},
    Row{Type::surfref, "surfref", 8, Kind::other},
    Row{Type::b1, "b1", 0, Kind::bits},
    Row{Type::u4, "u4", 0, Kind::unsigned_integer},
    Row{Type::s4, "s4", 0, Kind::signed_integer},
};

constexpr bool rows_follow_the_enum() {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].type != static_cast<Type>(i)) return false;
  }
  return kTypes.size() == static_cast<std::size_t>(Type::s4) + 1;
}
static_assert(rows_follow_the_enum());

constexpr std::array<std::string_view, 8> kSpaces = {"reg",   "sreg",  "const",  "global",
                                                     "local", "param", "shared", "generic"};

constexpr const Row& row(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view name(StateSpace space) { return kSpaces[static_cast<std::size_t>(space)]; }

std::optional<StateSpace> state_space(std::string_view name) {
  for (std::size_t i = 0; i < kSpaces.size(); ++i) {
    if (kSpaces[i] == name) return static_cast<StateSpace>(i);
  }
  return std::nullopt;
}

std::string_view name(Type type) { return row(type).name; }

std::optional<Type> type(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const Row& candidate : kTypes) {
    if (candidate.name == name) return candidate.type;
  }
  return std::nullopt;
}

std::size_t bytes(Type type) { return row(type).bytes; }

bool is_float(Type type) { return row(type).kind == Kind::floating; }
bool is_signed(Type type) { return row(type).kind == Kind::signed_integer; }
bool is_integer(Type type) { return is_signed(type) || row(type).kind == Kind::unsigned_integer; }
bool is_bits(Type type) { return row(type).kind == Kind::bits; }

}  // namespace warpcheck::ptx
