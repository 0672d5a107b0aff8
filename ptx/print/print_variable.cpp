// Prints a variable with its values.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "ptx/print/print_parts.hpp"

namespace warpcheck::ptx {
namespace {

template <typename... Arguments>
void add(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

class InitialText {
 public:
  InitialText(const Module& module, const Variable& variable, std::string& text)
      : module_(module),
        variable_(variable),
        relocation_(variable.relocations.begin()),
        text_(text) {
    shape_ = variable.dimensions;
    if (variable.vector != 1) shape_.push_back(variable.vector);
  }

  /// Prints the initial values of the dimensions from `level` on, which begin at byte `begin`.
  void print(std::size_t level, std::size_t begin) {
    if (level == shape_.size()) return print_value(begin);
    std::size_t item_bytes = bytes(variable_.type);
    for (std::size_t i = level + 1; i < shape_.size(); ++i) item_bytes *= shape_[i];
    text_ += "{";
    for (std::size_t i = 0; i < shape_[level]; ++i) {
      const std::size_t position = begin + i * item_bytes;
      if (position >= variable_.initial.size()) break;
      if (i != 0) text_ += ", ";
      print(level + 1, position);
    }
    text_ += "}";
  }

 private:
  void print_value(std::size_t offset) {
    if (relocation_ != variable_.relocations.end() && relocation_->offset == offset) {
      return print_relocation(*relocation_++);
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, &variable_.initial.at(offset), std::min(sizeof bits, bytes(variable_.type)));
    if (variable_.type == Type::f32) {
      add(text_, "0f{:08X}", bits);
    } else if (variable_.type == Type::f64) {
      add(text_, "0d{:016X}", bits);
    } else {
      add(text_, "{}", bits);
    }
  }

  void print_relocation(const Relocation& relocation) {
    const std::string_view name = name_of(module_, nullptr, relocation.symbol);
    const std::string offset = offset_text(relocation.symbol.addend);
    if (relocation.mask != ~0ull) add(text_, "0x{:X}(", relocation.mask);
    relocation.generic ? add(text_, "generic({}){}", name, offset)
                       : add(text_, "{}{}", name, offset);
    if (relocation.mask != ~0ull) text_ += ")";
  }

  const Module& module_;
  const Variable& variable_;
  std::vector<std::size_t> shape_;
  std::vector<Relocation>::const_iterator relocation_;
  std::string& text_;
};

}  // namespace

void print_declaration(const Variable& variable, std::string& text) {
  add(text, ".{}", name(variable.space));
  if (variable.managed) text += " .attribute(.managed)";
  if (variable.alignment != bytes(variable.type) * variable.vector) {
    add(text, " .align {}", variable.alignment);
  }
  if (variable.vector != 1) add(text, " .v{}", variable.vector);
  add(text, " .{}", name(variable.type));
  if (variable.is_pointer) {
    text += " .ptr";
    if (variable.pointee_space != StateSpace::generic)
      add(text, " .{}", name(variable.pointee_space));
    if (variable.pointee_alignment != 0) add(text, " .align {}", variable.pointee_alignment);
  }
  add(text, " {}", variable.name);
  for (std::size_t dimension : variable.dimensions) {
    dimension == 0 ? add(text, "[]") : add(text, "[{}]", dimension);
  }
}

void print_variable(const Module& module, const Variable& variable, std::string& text) {
  print_declaration(variable, text);
  if (!variable.initial.empty()) {
    text += " = ";
    InitialText(module, variable, text).print(0, 0);
  }
  text += ";\n";
}

}  // namespace warpcheck::ptx
