#include "ptx/analysis/integer_value.hpp"

#include <algorithm>
#include <string_view>

#include "ptx/analysis/registers.hpp"

namespace warpcheck::ptx::analysis {
namespace {

unsigned width_of(Type type) {
  return type == Type::pred ? 1 : 8 * static_cast<unsigned>(bytes(type));
}

std::uint64_t cut(std::uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

std::int64_t with_sign(std::uint64_t value, unsigned width) {
  return static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
}

/// Interprets operands as the instruction's type does.
struct Numbers {
  unsigned width;
  bool is_signed;

  [[nodiscard]] std::uint64_t operator()(std::uint64_t value) const {
    return is_signed ? static_cast<std::uint64_t>(with_sign(value, width)) : cut(value, width);
  }
  [[nodiscard]] bool less(std::uint64_t a, std::uint64_t b) const {
    return is_signed ? with_sign(a, width) < with_sign(b, width) : cut(a, width) < cut(b, width);
  }
};

Value compared(std::string_view how, const Numbers& of, std::uint64_t a, std::uint64_t b) {
  const bool less = of.less(a, b);
  const bool more = of.less(b, a);
  if (how == "eq") return !less && !more;
  if (how == "ne") return less || more;
  if (how == "lt" || how == "lo") return less;
  if (how == "le" || how == "ls") return !more;
  if (how == "gt" || how == "hi") return more;
  if (how == "ge" || how == "hs") return !less;
  return std::nullopt;
}

Value shifted(bool left, const Numbers& of, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t by = std::min<std::uint64_t>(cut(b, 32), of.width);
  if (by == 64) return left || !of.is_signed ? 0 : with_sign(a, of.width) < 0 ? ~0ull : 0;
  if (left) return a << by;
  return of.is_signed ? static_cast<std::uint64_t>(with_sign(a, of.width) >> by)
                      : cut(a, of.width) >> by;
}

Value divided(bool quotient, const Numbers& of, std::uint64_t a, std::uint64_t b) {
  if (cut(b, of.width) == 0 || of.is_signed) return std::nullopt;
  return quotient ? of(a) / of(b) : of(a) % of(b);
}

/// The result that one operand alone determines; the other may be unknown.
Value decided(std::string_view name, const Value& a, const Value& b) {
  if (name == "and" && ((a && *a == 0) || (b && *b == 0))) return 0;
  if (name == "or" && ((a && *a == 1) || (b && *b == 1))) return 1;
  return std::nullopt;
}

/// The result for two operands that both have the width of the instruction.
Value combined(std::string_view name, const Numbers& of, std::uint64_t a, std::uint64_t b) {
  if (name == "add") return a + b;
  if (name == "sub") return a - b;
  if (name == "and") return a & b;
  if (name == "or") return a | b;
  if (name == "xor") return a ^ b;
  if (name == "min") return of.less(a, b) ? a : b;
  if (name == "max") return of.less(a, b) ? b : a;
  if (name == "shl" || name == "shr") return shifted(name == "shl", of, a, b);
  if (name == "div" || name == "rem") return divided(name == "div", of, a, b);
  return std::nullopt;
}

Value plain_value(std::string_view name, const Numbers& of, const std::vector<Value>& sources) {
  if (name == "selp" && sources.size() == 3 && sources[2]) return sources[*sources[2] != 0 ? 0 : 1];
  if (sources.empty() || !sources[0]) return std::nullopt;
  if (sources.size() == 1) {
    if (name == "mov") return sources[0];
    return name == "not" ? Value(~*sources[0]) : std::nullopt;
  }
  if (sources.size() != 2 || !sources[1]) return std::nullopt;
  return combined(name, of, *sources[0], *sources[1]);
}

}  // namespace

Value integer_value(const Instruction& instruction, const std::vector<Value>& sources) {
  const std::string_view name = mnemonic(instruction);
  const Type type = type_of(instruction);
  const bool has_bits = is_bits(type) || type == Type::pred;
  if (!has_bits && !is_integer(type)) return std::nullopt;
  const Numbers of{width_of(type), is_signed(type)};
  if (of.width == 0 || of.width > 64) return std::nullopt;
  const std::size_t parts = instruction.parts.size();
  if (parts == 2) {
    if (type == Type::pred && sources.size() == 2) {
      if (const Value value = decided(name, sources[0], sources[1])) return value;
    }
    const Value value = plain_value(name, of, sources);
    return value ? Value(cut(*value, of.width)) : std::nullopt;
  }
  if (parts != 3 || sources.empty() || !sources[0]) return std::nullopt;
  if (name == "cvt" && sources.size() == 1) {
    const auto to = ptx::type(instruction.parts[1]);
    if (!to || (!is_integer(*to) && !is_bits(*to))) return std::nullopt;
    return cut(of(*sources[0]), width_of(*to));
  }
  if (sources.size() < 2 || !sources[1]) return std::nullopt;
  if (name == "setp" && sources.size() == 2) {
    return compared(instruction.parts[1], of, *sources[0], *sources[1]);
  }
  const std::uint64_t product = of(*sources[0]) * of(*sources[1]);
  if (name == "mul" && instruction.parts[1] == "lo") return cut(product, of.width);
  if (name == "mul" && instruction.parts[1] == "wide") return cut(product, 2 * of.width);
  if (name == "mad" && instruction.parts[1] == "lo" && sources.size() == 3 && sources[2]) {
    return cut(product + *sources[2], of.width);
  }
  return std::nullopt;
}

}  // namespace warpcheck::ptx::analysis
