// Computes integer arithmetic and logic as defined in sections 9.7.1 and 9.7.8 of the PTX ISA.
#include <algorithm>
#include <array>
#include <bit>

#include "fuzz/numbers.hpp"
#include "fuzz/oracle.hpp"

namespace warpcheck::fuzz {
namespace {

/// Operands as numbers of the instruction's type, and as bits.
struct Operands {
  IntegerFormat format;
  std::array<Int, 4> number{};
  std::array<std::uint64_t, 4> bits{};
};

/// Returns the product, which may need 128 bits unsigned, shifted right by `shift` bits.
Int product(const Operands& o, const IntegerFormat& format, unsigned shift) {
  if (format.is_signed) return o.number[0] * o.number[1] >> shift;
  const Natural whole = static_cast<Natural>(o.number[0]) * static_cast<Natural>(o.number[1]);
  return static_cast<Int>(whole >> shift);
}

/// Returns the low 24 bits as a number.
Operands low24(Operands o) {
  const IntegerFormat narrow{24, o.format.is_signed};
  for (int i = 0; i < 2; ++i) o.number[i] = narrow.read(o.bits[i]);
  return o;
}

using Function = Int (*)(const Operands& o);
struct Row {
  std::string_view spelled;  // mnemonic, with .lo, .hi, .wide if it has one
  Function function;
};

std::uint64_t bit(std::uint64_t value, std::uint64_t position) { return value >> position & 1; }

Int extracted(const Operands& o) {
  const std::uint64_t msb = o.format.bits - 1;
  const std::uint64_t position = o.bits[1] & 0xff;
  const std::uint64_t length = o.bits[2] & 0xff;
  const bool extends = o.format.is_signed && length > 0;
  const std::uint64_t sign =
      extends ? bit(o.bits[0], std::min<std::uint64_t>(position + length - 1, msb)) : 0;
  std::uint64_t result = 0;
  for (std::uint64_t i = 0; i <= msb; ++i) {
    const bool taken = i < length && position + i <= msb;
    result |= (taken ? bit(o.bits[0], position + i) : sign) << i;
  }
  return static_cast<Int>(result);
}

Int inserted(const Operands& o) {
  const std::uint64_t msb = o.format.bits - 1;
  const std::uint64_t position = o.bits[2] & 0xff;
  const std::uint64_t length = o.bits[3] & 0xff;
  std::uint64_t result = o.bits[1];
  for (std::uint64_t i = 0; i < length && position + i <= msb; ++i) {
    const std::uint64_t at = std::uint64_t{1} << (position + i);
    result = (result & ~at) | (bit(o.bits[0], i) != 0 ? at : 0);
  }
  return static_cast<Int>(result);
}

Int reversed(const Operands& o) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < o.format.bits; ++i) {
    result |= bit(o.bits[0], i) << (o.format.bits - 1 - i);
  }
  return static_cast<Int>(result);
}

Int ones(const Operands& o) {
  Int count = 0;
  for (unsigned i = 0; i < o.format.bits; ++i) count += bit(o.bits[0], i) != 0 ? 1 : 0;
  return count;
}

Int leading_zeros(const Operands& o) {
  Int count = 0;
  while (count < o.format.bits &&
         bit(o.bits[0], o.format.bits - 1 - static_cast<std::uint64_t>(count)) == 0) {
    ++count;
  }
  return count;
}

Int shifted_left(const Operands& o) {
  const std::uint64_t by = o.bits[1];
  return by >= o.format.bits ? 0 : static_cast<Int>(static_cast<Natural>(o.bits[0]) << by);
}
Int shifted_right(const Operands& o) {
  return o.number[0] >> std::min<std::uint64_t>(o.bits[1], 64);
}

Int dot4(const Operands& o) {
  Int sum = static_cast<Int>(o.bits[2]);
  for (unsigned i = 0; i < 4; ++i) {
    const IntegerFormat byte{8, o.format.is_signed};
    sum += byte.read(o.bits[0] >> (8 * i)) * byte.read(o.bits[1] >> (8 * i));
  }
  return sum;
}

Int permuted(const Operands& o) {
  const std::uint64_t bytes = (o.bits[1] << 32) | (o.bits[0] & 0xffffffff);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint64_t selector = o.bits[2] >> (4 * i) & 0xf;
    const std::uint64_t byte = bytes >> (8 * (selector & 7)) & 0xff;
    const std::uint64_t sign = byte >> 7 != 0 ? 0xff : 0;
    result |= (selector > 7 ? sign : byte) << (8 * i);
  }
  return static_cast<Int>(result);
}

constexpr std::array kRows{
    Row{"add", [](const Operands& o) { return o.number[0] + o.number[1]; }},
    Row{"sub", [](const Operands& o) { return o.number[0] - o.number[1]; }},
    Row{"mul.lo", [](const Operands& o) { return product(o, o.format, 0); }},
    Row{"mul.hi", [](const Operands& o) { return product(o, o.format, o.format.bits); }},
    Row{"mul.wide", [](const Operands& o) { return product(o, o.format, 0); }},
    Row{"mad.lo", [](const Operands& o) { return product(o, o.format, 0) + o.number[2]; }},
    Row{"mad.hi",
        [](const Operands& o) { return product(o, o.format, o.format.bits) + o.number[2]; }},
    Row{"mad.wide",
        [](const Operands& o) { return product(o, o.format, 0) + static_cast<Int>(o.bits[2]); }},
    Row{"mul24.lo", [](const Operands& o) { return product(low24(o), o.format, 0); }},
    Row{"mul24.hi", [](const Operands& o) { return product(low24(o), o.format, 16); }},
    Row{"mad24.lo", [](const Operands& o) { return product(low24(o), o.format, 0) + o.number[2]; }},
    Row{"mad24.hi",
        [](const Operands& o) {
          const IntegerFormat word{32, o.format.is_signed};
          return word.read(static_cast<std::uint64_t>(product(low24(o), o.format, 16))) +
                 o.number[2];
        }},
    Row{"min", [](const Operands& o) { return std::min(o.number[0], o.number[1]); }},
    Row{"max", [](const Operands& o) { return std::max(o.number[0], o.number[1]); }},
    Row{"abs", [](const Operands& o) { return o.number[0] < 0 ? -o.number[0] : o.number[0]; }},
    Row{"neg", [](const Operands& o) { return -o.number[0]; }},
    Row{"sad",
        [](const Operands& o) {
          const Int difference = o.number[0] - o.number[1];
          return o.number[2] + (difference < 0 ? -difference : difference);
        }},
    Row{"div", [](const Operands& o) { return o.number[0] / o.number[1]; }},
    Row{"rem", [](const Operands& o) { return o.number[0] % o.number[1]; }},
    Row{"and", [](const Operands& o) { return o.number[0] & o.number[1]; }},
    Row{"or", [](const Operands& o) { return o.number[0] | o.number[1]; }},
    Row{"xor", [](const Operands& o) { return o.number[0] ^ o.number[1]; }},
    Row{"not", [](const Operands& o) { return ~o.number[0]; }},
    Row{"cnot", [](const Operands& o) { return Int{o.number[0] == 0}; }},
    Row{"shl", shifted_left},
    Row{"shr", shifted_right},
    Row{"popc", ones},
    Row{"clz", leading_zeros},
    Row{"brev", reversed},
    Row{"bfe", extracted},
    Row{"bfi", inserted},
    Row{"dp4a", dot4},
    Row{"prmt", permuted},
};

/// Computes lop3: bit i of the result is bit abc of the table, where a, b and c are the operands'
/// bits i.
Oracle look_up_table(std::uint64_t table) {
  return [table](std::span<const std::uint64_t> in) -> std::optional<std::uint64_t> {
    std::uint64_t result = 0;
    for (unsigned i = 0; i < 32; ++i) {
      const std::uint64_t row = bit(in[0], i) << 2 | bit(in[1], i) << 1 | bit(in[2], i);
      result |= bit(table, row) << i;
    }
    return result;
  };
}

/// Returns true if the manual defines the result for these operands. For a 64-bit field that begins
/// or ends beyond 255, an H200 differs from the manual.
bool is_defined(std::string_view mnemonic, const Operands& o) {
  if (mnemonic == "div" || mnemonic == "rem") return o.number[1] != 0;
  if (o.format.bits < 64) return true;
  if (mnemonic == "bfe") return o.bits[1] < 256 && o.bits[2] < 256;
  if (mnemonic == "bfi") return o.bits[2] < 256 && o.bits[3] < 256;
  return true;
}

}  // namespace

Oracle integer_oracle(const Spelling& spelling) {
  const auto format = integer_format(spelling.from_last(0));
  const std::string& mnemonic = spelling.mnemonic();
  if (mnemonic == "lop3" && spelling.immediate) return look_up_table(*spelling.immediate);
  if (!format || spelling.immediate) return nullptr;
  std::size_t understood = 2;  // the mnemonic and the type
  std::string spelled = mnemonic;
  for (const char* part : {"lo", "hi", "wide"}) {
    if (!spelling.has(part)) continue;
    spelled += std::string(".") + part;
    ++understood;
  }
  const bool saturates = spelling.has("sat");
  const bool relu = spelling.has("relu");
  understood += (saturates ? 1U : 0U) + (relu ? 1U : 0U);
  if (mnemonic == "dp4a") {  // supported if both operands have the same type
    if (spelling.from_last(0) != spelling.from_last(1)) return nullptr;
    ++understood;
  }
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [&](const Row& entry) { return entry.spelled == spelled; });
  if (row == kRows.end() || understood != spelling.parts.size()) return nullptr;
  const bool counts = mnemonic == "popc" || mnemonic == "clz";
  IntegerFormat result = counts ? IntegerFormat{32, false} : *format;
  if (spelling.has("wide")) result.bits *= 2;
  return [=, function = row->function,
          type = *format](std::span<const std::uint64_t> in) -> std::optional<std::uint64_t> {
    Operands o;
    o.format = type;
    for (std::size_t i = 0; i < in.size(); ++i) {
      o.bits[i] = in[i];
      o.number[i] = type.read(in[i]);
    }
    if (!is_defined(mnemonic, o)) return std::nullopt;
    Int value = function(o);
    if (saturates) value = result.clamped(value);
    if (relu) value = std::max(value, Int{0});
    return result.write(value);
  };
}

}  // namespace warpcheck::fuzz
