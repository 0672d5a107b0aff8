#include "tests/golden/forms/form.hpp"

#include <fmt/format.h>

#include <array>
#include <sstream>
#include <stdexcept>

namespace warpcheck::golden {
namespace {

constexpr std::array kFacts = {
    TypeFacts{Type::pred, "pred", 32, "u32", "u32"},
    TypeFacts{Type::u8, "u8", 8, "u32", "u8"},
    TypeFacts{Type::s8, "s8", 8, "u32", "s8"},
    TypeFacts{Type::b8, "b8", 8, "u32", "u8"},
    TypeFacts{Type::u16, "u16", 16, "b16", "b16"},
    TypeFacts{Type::s16, "s16", 16, "b16", "b16"},
    TypeFacts{Type::b16, "b16", 16, "b16", "b16"},
    TypeFacts{Type::f16, "f16", 16, "b16", "b16"},
    TypeFacts{Type::bf16, "bf16", 16, "b16", "b16"},
    TypeFacts{Type::u32, "u32", 32, "b32", "b32"},
    TypeFacts{Type::s32, "s32", 32, "b32", "b32"},
    TypeFacts{Type::b32, "b32", 32, "b32", "b32"},
    TypeFacts{Type::f32, "f32", 32, "f32", "f32"},
    TypeFacts{Type::f16x2, "f16x2", 32, "b32", "b32"},
    TypeFacts{Type::bf16x2, "bf16x2", 32, "b32", "b32"},
    TypeFacts{Type::tf32, "tf32", 32, "b32", "b32"},
    TypeFacts{Type::e4m3x2, "e4m3x2", 16, "b16", "b16"},
    TypeFacts{Type::e5m2x2, "e5m2x2", 16, "b16", "b16"},
    TypeFacts{Type::u16x2, "u16x2", 32, "b32", "b32"},
    TypeFacts{Type::s16x2, "s16x2", 32, "b32", "b32"},
    TypeFacts{Type::u64, "u64", 64, "b64", "b64"},
    TypeFacts{Type::s64, "s64", 64, "b64", "b64"},
    TypeFacts{Type::b64, "b64", 64, "b64", "b64"},
    TypeFacts{Type::f64, "f64", 64, "f64", "f64"},
};
static_assert(kFacts.size() == static_cast<std::size_t>(Type::f64) + 1);

const TypeFacts* find(std::string_view name) {
  for (const TypeFacts& row : kFacts) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

/// `$$` stands for the type of twice the width: "u16" -> "u32".
std::string with_type(std::string_view text, const std::string& type) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      result += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == '$') {
      result += type.substr(0, 1) + std::to_string(2 * std::stoi(type.substr(1)));
      ++i;
    } else {
      result += type;
    }
  }
  return result;
}

std::vector<Type> types_of(const std::string& text) {
  std::vector<Type> types;
  for (const std::string& word : words(text)) {
    if (const TypeFacts* row = find(word)) types.push_back(row->type);
  }
  return types;
}

}  // namespace

const TypeFacts& facts(Type type) { return kFacts[static_cast<std::size_t>(type)]; }

Type type_named(std::string_view name) {
  const TypeFacts* row = find(name);
  if (row == nullptr) throw std::invalid_argument(fmt::format("unknown type {}", name));
  return row->type;
}

std::size_t stored_bytes(Type type) { return facts(type).bits == 8 ? 4 : facts(type).bits / 8; }

std::vector<std::string> expand(std::string_view pattern) {
  const std::size_t open = pattern.find('{');
  if (open == std::string_view::npos) return {std::string(pattern)};
  const std::size_t close = pattern.find('}', open);
  const std::vector<std::string> tails = expand(pattern.substr(close + 1));
  std::vector<std::string> result;
  for (std::size_t at = open + 1; at <= close;) {
    const std::size_t end = std::min(pattern.find('|', at), close);
    for (const std::string& tail : tails) {
      result.push_back(
          fmt::format("{}{}{}", pattern.substr(0, open), pattern.substr(at, end - at), tail));
    }
    at = end + 1;
  }
  return result;
}

Family& Family::plain(std::string_view pattern, std::string_view outputs, std::string_view inputs,
                      std::string_view types) {
  last_ = forms_.size();
  std::vector<std::string> each = words(std::string(types));
  if (each.empty()) each.emplace_back();
  for (const std::string& type : each) {
    const std::vector<std::string> in = words(with_type(inputs, type));
    const std::vector<Type> out = types_of(with_type(outputs, type));
    std::string operands;
    for (std::size_t i = 0; i < out.size(); ++i) operands += fmt::format(" %d{},", i);
    std::size_t register_number = 0;
    for (const std::string& word : in) {
      operands +=
          find(word) != nullptr ? fmt::format(" %a{},", register_number++) : " " + word + ",";
    }
    operands.back() = ';';
    for (const std::string& mnemonic : expand(with_type(pattern, type))) {
      Form form;
      form.family = name_;
      form.body = mnemonic + operands;
      form.name = form.body.substr(0, form.body.size() - 1);
      form.outputs = out;
      form.inputs = types_of(with_type(inputs, type));
      forms_.push_back(std::move(form));
    }
  }
  return *this;
}

Family& Family::text(std::string_view pattern, std::string_view outputs, std::string_view inputs,
                     std::string_view types) {
  last_ = forms_.size();
  std::vector<std::string> each = words(std::string(types));
  if (each.empty()) each.emplace_back();
  for (const std::string& type : each) {
    for (std::string& body : expand(with_type(pattern, type))) {
      Form form;
      form.family = name_;
      form.name = body.substr(0, body.size() - 1);
      form.body = std::move(body);
      form.outputs = types_of(with_type(outputs, type));
      form.inputs = types_of(with_type(inputs, type));
      forms_.push_back(std::move(form));
    }
  }
  return *this;
}

Family& Family::approximate() {
  for (std::size_t i = last_; i < forms_.size(); ++i) forms_[i].approximate = true;
  return *this;
}

Family& Family::nonzero_divisor() {
  for (std::size_t i = last_; i < forms_.size(); ++i) forms_[i].nonzero_divisor = true;
  return *this;
}

std::vector<Form> all_forms() {
  std::vector<Form> forms;
  add_integer_forms(forms);
  add_float_forms(forms);
  add_half_forms(forms);
  add_convert_forms(forms);
  add_compare_forms(forms);
  add_atomic_forms(forms);
  add_warp_forms(forms);
  return forms;
}

}  // namespace warpcheck::golden
