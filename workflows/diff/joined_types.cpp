#include "workflows/diff/joined_types.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/diagnostic.hpp"
#include "reference/format.hpp"

namespace warpcheck::workflows::diff {
namespace {

using contract::Contract;
using reference::format;

/// True if `wider` represents every value of `type`.
bool holds(ScalarType wider, ScalarType type) {
  if (wider == type) return true;
  if (wider == ScalarType::u8) return false;  // no sign
  const reference::Format& in = format(type);
  const reference::Format& out = format(wider);
  return in.precision <= out.precision && in.largest <= out.largest &&
         in.smallest_step() >= out.smallest_step();
}

/// The format of most digits whose values both have; empty if there is none.
std::optional<ScalarType> common(ScalarType one, ScalarType other) {
  constexpr std::array kAll = {ScalarType::f64,  ScalarType::f32,  ScalarType::tf32,
                               ScalarType::f16,  ScalarType::bf16, ScalarType::e4m3,
                               ScalarType::e5m2, ScalarType::s64,  ScalarType::s32,
                               ScalarType::s8,   ScalarType::u8};
  for (const ScalarType type : {one, other}) {
    if (holds(one, type) && holds(other, type)) return type;
  }
  for (const ScalarType type : kAll) {
    if (holds(one, type) && holds(other, type)) return type;
  }
  return std::nullopt;
}

}  // namespace

void refuse_comparison(const Contract& one, const Contract& other, const std::string& reason) {
  throw InputError(
      Diagnostic{other.where,
                 fmt::format("{} cannot be compared with {}: {}", other.name, one.name, reason),
                 {}});
}

void JoinedTypes::join(std::string_view operand, ScalarType& type, ScalarType second) {
  if (type == second) return;
  const auto shared = common(type, second);
  if (!shared) {
    refuse_comparison(one, other,
                      fmt::format("{} is {} in one and {} in the other, which share too few values",
                                  operand, name(type), name(second)));
  }
  remarks.push_back(fmt::format("{} is {} in {} and {} in {}: its elements are values of {}",
                                operand, name(type), one.name, name(second), other.name,
                                name(*shared)));
  type = *shared;
  same_values = false;
}

}  // namespace warpcheck::workflows::diff
