// Parses the initial values of variables (PTX ISA, section 5.4.4): bytes, and addresses, which
// become relocations.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "ptx/parse/parser_impl.hpp"

namespace warpcheck::ptx {
namespace {

/// The bits of a number as an element of the type; empty if the kind of the number does not fit.
std::optional<std::uint64_t> bits_as(Type type, const Constant& value) {
  if (const auto* integer = std::get_if<Integer>(&value)) {
    if (is_float(type) && integer->bits != 0) return std::nullopt;
    return integer->bits;
  }
  const auto* real = std::get_if<Float>(&value);
  const std::size_t size = bytes(type);
  if (real == nullptr || is_integer(type) || (size != 4 && size != 8)) return std::nullopt;
  if (real->is_single == (size == 4)) return real->bits;
  if (real->is_single) {
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(real->bits));
    return std::bit_cast<std::uint64_t>(static_cast<double>(single));
  }
  return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(real->bits)));
}

}  // namespace

void Parser::parse_initializer(Variable& variable) {
  const Place place = token_.place;
  if (!accept("=")) return;
  if (variable.space != StateSpace::global && variable.space != StateSpace::const_) {
    fail(place,
         fmt::format("a variable in .{} cannot have an initial value", name(variable.space)));
  }
  std::vector<std::size_t> shape = variable.dimensions;
  if (variable.vector != 1) shape.push_back(variable.vector);
  if (shape.empty()) {
    parse_initial_value(variable, 0);
    return;
  }
  const std::size_t end = parse_initial_list(variable, shape, 0, 0);
  if (variable.is_unsized()) {
    variable.dimensions[0] = 1;  // bytes() is then the size of one item
    variable.dimensions[0] = (end + variable.bytes() - 1) / variable.bytes();
  }
}

/// Parses a list that fills `shape[level]` items from byte `begin`. Each item is a list or, as in
/// C, its values without braces. An unsized array takes the size of the list. Returns the end.
std::size_t Parser::parse_initial_list(Variable& variable, const std::vector<std::size_t>& shape,
                                       std::size_t level, std::size_t begin) {
  const std::size_t value_bytes = bytes(variable.type);
  std::size_t item_bytes = value_bytes;
  for (std::size_t i = level + 1; i < shape.size(); ++i) item_bytes *= shape[i];
  const std::size_t end =
      begin + (shape[level] == 0 ? kMaximumVariableBytes : shape[level] * item_bytes);
  std::size_t position = begin;
  expect("{");
  if (accept("}")) return position;
  do {
    const bool is_list = token_.is("{");
    if (is_list && level + 1 == shape.size()) fail_expected("a constant");
    if (is_list) position += (item_bytes - (position - begin) % item_bytes) % item_bytes;
    if (position >= end) {
      fail(token_.place, fmt::format("found more values than '{}' has room for", variable.name));
    }
    if (is_list) {
      parse_initial_list(variable, shape, level + 1, position);
      position += item_bytes;
    } else {
      parse_initial_value(variable, position);
      position += value_bytes;
    }
  } while (accept(","));
  expect("}");
  return position;
}

void Parser::parse_initial_value(Variable& variable, std::size_t offset) {
  const Place place = token_.place;
  const Constant value = parse_constant(true);
  const std::size_t size = bytes(variable.type);
  std::uint64_t bits = 0;
  if (const auto* address = std::get_if<SymbolAddress>(&value)) {
    const bool in_module = address->symbol.kind == Symbol::Kind::module_variable ||
                           address->symbol.kind == Symbol::Kind::function;
    if (!in_module) fail(place, "found a variable of a function, expected one of the module");
    if (address->mask == ~0ull && size * 8 < module_.address_size) {
      fail(place, fmt::format("an address has {} bits, an element of '{}' {}", module_.address_size,
                              variable.name, size * 8));
    }
    variable.relocations.push_back(
        {offset, size, address->symbol, address->generic, address->mask});
  } else if (const auto number = bits_as(variable.type, value)) {
    bits = *number;
  } else {
    fail(place, fmt::format("found {} as the value of a .{}", kind_of(value), name(variable.type)));
  }
  const std::size_t growth = offset + size - variable.initial.size();
  if (growth > kMaximumInitialBytes - initial_bytes_) {
    fail(place, fmt::format("the initial values of the module take more than {} bytes",
                            kMaximumInitialBytes));
  }
  initial_bytes_ += growth;
  variable.initial.resize(offset + size);
  std::memcpy(&variable.initial[offset], &bits, std::min(size, sizeof bits));
}

}  // namespace warpcheck::ptx
