#include "workflows/init/source/parameter_type.hpp"

#include <algorithm>
#include <array>

#include "contract/source/cpp_token.hpp"
#include "workflows/init/source/lower_case.hpp"

namespace warpcheck::workflows::init {
namespace {

struct Element {
  std::string_view name;
  ScalarType type;
};

/// Types of elements; vectors count as their components.
constexpr std::array<Element, 35> kElements = {{
    {"float", ScalarType::f32},
    {"float2", ScalarType::f32},
    {"float4", ScalarType::f32},
    {"double", ScalarType::f64},
    {"double2", ScalarType::f64},
    {"half", ScalarType::f16},
    {"__half", ScalarType::f16},
    {"half2", ScalarType::f16},
    {"__half2", ScalarType::f16},
    {"Half", ScalarType::f16},
    {"float16_t", ScalarType::f16},
    {"half_t", ScalarType::f16},
    {"fp16", ScalarType::f16},
    {"__nv_bfloat16", ScalarType::bf16},
    {"nv_bfloat16", ScalarType::bf16},
    {"__nv_bfloat162", ScalarType::bf16},
    {"BFloat16", ScalarType::bf16},
    {"bfloat16_t", ScalarType::bf16},
    {"bf16", ScalarType::bf16},
    {"__nv_fp8_e4m3", ScalarType::e4m3},
    {"__nv_fp8_e5m2", ScalarType::e5m2},
    {"int8_t", ScalarType::s8},
    {"char", ScalarType::s8},
    {"char4", ScalarType::s8},
    {"uint8_t", ScalarType::u8},
    {"uchar4", ScalarType::u8},
    {"int", ScalarType::s32},
    {"int32_t", ScalarType::s32},
    {"int64_t", ScalarType::s64},
    {"int4", ScalarType::s32},
    {"int2", ScalarType::s32},
    {"scalar_t", ScalarType::f32},
    {"real", ScalarType::f32},
    {"real_t", ScalarType::f32},
    {"DTYPE", ScalarType::f32},
}};

bool is_integer_word(std::string_view word) {
  constexpr std::array<std::string_view, 19> kWords = {
      "int",      "unsigned", "long",    "short",  "size_t",    "int32_t", "int64_t",
      "uint32_t", "uint64_t", "uint",    "bool",   "ptrdiff_t", "char",    "int16_t",
      "uint16_t", "int8_t",   "uint8_t", "signed", "index_t"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

ParameterType parameter_type(std::string_view text) {
  ParameterType type;
  type.text = text;
  const std::vector<contract::CppToken> tokens = contract::cpp_tokens(text);
  const auto has = [&](std::string_view word) {
    return std::any_of(tokens.begin(), tokens.end(),
                       [&](const contract::CppToken& token) { return token.is(word); });
  };
  const auto pointers = std::count_if(tokens.begin(), tokens.end(),
                                      [](const contract::CppToken& t) { return t.is("*"); });
  std::optional<ScalarType> element;
  bool integer = false;
  for (const contract::CppToken& token : tokens) {
    for (const Element& known : kElements) {
      if (!element && token.is(known.name)) element = known.type;
    }
    // A mangled name keeps the type of a template's member as it is written: mma::E4m3::Element.
    for (int i = 0; !element && i <= static_cast<int>(ScalarType::e5m2); ++i) {
      const auto scalar = static_cast<ScalarType>(i);
      if (lower_case(token.text) == name(scalar)) element = scalar;
    }
    integer = integer || is_integer_word(token.text);
  }
  if (has("unsigned") && has("char")) element = ScalarType::u8;
  if (has("unsigned") && !has("char")) element.reset();
  if (has("short")) element.reset();
  if (has("long")) element = has("unsigned") ? std::nullopt : std::optional(ScalarType::s64);
  if (pointers == 1) {
    type.kind = ParameterType::Kind::buffer;
    type.constant = has("const");
    type.element = element;
  } else if (pointers == 0 && integer && !has("<")) {
    type.kind = ParameterType::Kind::integer;
  } else if (pointers == 0 && element && !has("<")) {
    type.kind = ParameterType::Kind::floating;
    type.element = element;
  }
  return type;
}

std::vector<std::string> parameters_of(std::string_view demangled) {
  std::vector<std::string> types;
  const std::vector<contract::CppToken> all = contract::cpp_tokens(demangled);
  const contract::CppTokens tokens(all);
  std::size_t open = 0;
  while (open < tokens.size() &&
         !(tokens[open].is("(") && contract::closing_bracket(tokens, open) + 1 == tokens.size())) {
    ++open;
  }
  if (open == tokens.size()) return types;
  const auto list = tokens.subspan(open + 1, tokens.size() - open - 2);
  for (const contract::CppTokens type : contract::split_at_commas(list)) {
    types.push_back(to_text(type));
  }
  if (types == std::vector<std::string>{"void"}) types.clear();
  return types;
}

}  // namespace warpcheck::workflows::init
