#include "contract/parameters/parameter_types.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/text/demangle.hpp"

namespace warpcheck::contract {
namespace {

/// Returns the text between the parentheses at the end of a demangled name.
std::string_view parameters_of(std::string_view demangled) {
  if (!demangled.ends_with(')')) return {};
  int depth = 0;
  for (std::size_t i = demangled.size(); i-- > 0;) {
    if (demangled[i] == ')') ++depth;
    if (demangled[i] == '(' && --depth == 0) {
      return demangled.substr(i + 1, demangled.size() - i - 2);
    }
  }
  return {};
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// Removes the qualifiers that follow a type: "float const" -> "float".
std::string_view unqualified(std::string_view type) {
  constexpr std::array<std::string_view, 3> kQualifiers = {"const", "volatile", "__restrict"};
  for (bool changed = true; changed;) {
    type = trimmed(type);
    changed = false;
    for (const std::string_view qualifier : kQualifiers) {
      if (!type.ends_with(qualifier)) continue;
      type.remove_suffix(qualifier.size());
      changed = true;
    }
  }
  return type;
}

}  // namespace

std::vector<std::string> parameter_types(const std::string& name) {
  const std::string demangled = demangle(name);
  const std::string_view all = parameters_of(demangled);
  std::vector<std::string> types;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= all.size(); ++i) {
    const char c = i < all.size() ? all[i] : ',';
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == ']') --depth;
    if (c != ',' || (depth != 0 && i < all.size())) continue;
    const std::string_view type = unqualified(all.substr(begin, i - begin));
    if (!type.empty()) types.emplace_back(type);
    begin = i + 1;
  }
  return types;
}

std::optional<ScalarType> floating_type(std::string_view type) {
  using Row = std::pair<std::string_view, ScalarType>;
  static constexpr std::array<Row, 11> kTypes = {{{"float", ScalarType::f32},
                                                  {"double", ScalarType::f64},
                                                  {"__half", ScalarType::f16},
                                                  {"_Float16", ScalarType::f16},
                                                  {"Half", ScalarType::f16},
                                                  {"half_t", ScalarType::f16},
                                                  {"__nv_bfloat16", ScalarType::bf16},
                                                  {"BFloat16", ScalarType::bf16},
                                                  {"bfloat16_t", ScalarType::bf16},
                                                  {"__nv_fp8_e4m3", ScalarType::e4m3},
                                                  {"__nv_fp8_e5m2", ScalarType::e5m2}}};
  const std::string_view name = type.substr(type.rfind(':') + 1);
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const Row& row) { return row.first == name; });
  if (found == kTypes.end()) return std::nullopt;
  return found->second;
}

std::optional<ScalarType> element_type(std::string_view parameter) {
  using Row = std::pair<std::string_view, ScalarType>;
  static constexpr std::array<Row, 18> kElements = {{{"float", ScalarType::f32},
                                                     {"float2", ScalarType::f32},
                                                     {"float4", ScalarType::f32},
                                                     {"double", ScalarType::f64},
                                                     {"double2", ScalarType::f64},
                                                     {"double4", ScalarType::f64},
                                                     {"int", ScalarType::s32},
                                                     {"long", ScalarType::s64},
                                                     {"long long", ScalarType::s64},
                                                     {"__half", ScalarType::f16},
                                                     {"__half2", ScalarType::f16},
                                                     {"__nv_bfloat16", ScalarType::bf16},
                                                     {"__nv_bfloat162", ScalarType::bf16},
                                                     {"__nv_fp8_e4m3", ScalarType::e4m3},
                                                     {"__nv_fp8x4_e4m3", ScalarType::e4m3},
                                                     {"__nv_fp8_e5m2", ScalarType::e5m2},
                                                     {"__nv_fp8x4_e5m2", ScalarType::e5m2},
                                                     {"signed char", ScalarType::s8}}};
  std::string_view type = unqualified(parameter);
  if (!type.ends_with('*')) return std::nullopt;
  type.remove_suffix(1);
  type = unqualified(type);
  const auto found = std::find_if(kElements.begin(), kElements.end(),
                                  [&](const Row& row) { return row.first == type; });
  if (found == kElements.end()) return std::nullopt;
  return found->second;
}

}  // namespace warpcheck::contract
