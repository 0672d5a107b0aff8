#include <algorithm>
#include <array>

#include "device/virtual/isa/form.hpp"

namespace warpcheck::isa {
namespace {

/// Removes the next token from `text` and returns it; empty at the end.
std::string_view next_token(std::string_view& text, char separator = ' ') {
  while (!text.empty() && text.front() == separator) text.remove_prefix(1);
  const std::string_view token = text.substr(0, text.find(separator));
  text.remove_prefix(token.size());
  return token;
}

bool is_one_of(std::string_view modifier, std::string_view alternatives) {
  while (!alternatives.empty()) {
    if (next_token(alternatives, '|') == modifier) return true;
  }
  return false;
}

/// True if the row accepts the modifiers. Each token accepts at most one modifier, a token without
/// brackets exactly one. No modifier may remain.
bool accepts_modifiers(std::string_view pattern, std::vector<std::string_view> modifiers) {
  for (std::string_view token = next_token(pattern); !token.empty(); token = next_token(pattern)) {
    const bool optional = token.front() == '[';
    if (optional) token = token.substr(1, token.size() - 2);
    const auto accepted = std::find_if(modifiers.begin(), modifiers.end(),
                                       [&](auto modifier) { return is_one_of(modifier, token); });
    if (accepted != modifiers.end()) {
      modifiers.erase(accepted);
    } else if (!optional) {
      return false;
    }
  }
  return modifiers.empty();
}

bool accepts_types(std::string_view alternatives, const std::vector<Type>& types) {
  if (alternatives == "*") return true;
  if (alternatives.empty()) return types.empty();
  std::string spelled;
  for (const Type type : types) {
    if (!spelled.empty()) spelled += '.';
    spelled += ptx::name(type);
  }
  while (!alternatives.empty()) {
    if (next_token(alternatives) == spelled && !spelled.empty()) return true;
  }
  return false;
}

}  // namespace

bool Selection::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

machine::Scope scope_of(const Selection& selection) {
  return selection.has("cta")       ? machine::Scope::block
         : selection.has("cluster") ? machine::Scope::cluster
                                    : machine::Scope::device;
}

Type Selection::type(std::size_t n) const { return n < types.size() ? types[n] : Type::none; }

Selection selection_of(const ptx::Instruction& instruction) {
  Selection selection;
  for (std::size_t i = 1; i < instruction.parts.size(); ++i) {
    const std::string_view part = instruction.parts[i];
    if (const auto type = ptx::type(part)) {
      selection.types.push_back(*type);
    } else {
      selection.modifiers.push_back(part);
    }
  }
  return selection;
}

bool accepts(const Form& form, const Selection& selection) {
  return accepts_types(form.types, selection.types) &&
         accepts_modifiers(form.modifiers, selection.modifiers);
}

std::span<const Form> table() {
  static const std::vector<Form> rows = [] {
    std::vector<Form> all;
    for (const auto family :
         {integer_forms(),      simd_forms(),        logic_forms(),     float_forms(),
          half_forms(),         compare_forms(),     convert_forms(),   convert_pack_forms(),
          move_forms(),         memory_forms(),      atomic_forms(),    control_forms(),
          barrier_forms(),      exchange_forms(),    async_forms(),     async_bulk_forms(),
          async_tensor_forms(), store_async_forms(), mbarrier_forms(),  matrix_forms(),
          mma_forms(),          wmma_forms(),        warpgroup_forms(), video_forms(),
          stack_forms(),        texture_forms(),     surface_forms(),   cluster_forms(),
          tensor_map_forms()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return rows;
}

}  // namespace warpcheck::isa
