// The operands of instructions. Every name is resolved: operands hold indices, not text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warpcheck::ptx {

/// The part of a register that a video instruction selects (PTX ISA 9.7.18): "b2" or "h1"; two
/// values "h10" or four values "b3210". Empty: the whole register.
class RegisterPart {
 public:
  RegisterPart() = default;
  /// Empty if the text is not a selector.
  [[nodiscard]] static std::optional<RegisterPart> of(std::string_view text);

  [[nodiscard]] bool empty() const { return text_[0] == '\0'; }
  [[nodiscard]] std::string_view text() const {
    return {text_.data(), std::string_view(text_.data(), text_.size()).find('\0')};
  }
  friend bool operator==(const RegisterPart&, const RegisterPart&) = default;

 private:
  std::array<char, 6> text_{};  // ends with a zero
};

/// `%r1`, or `!%p1` when negated, or `-%r1.h0` of a video instruction.
struct Register {
  unsigned index = 0;  // index into Function::registers
  bool negated = false;
  bool minus = false;
  RegisterPart part{};

  friend bool operator==(const Register&, const Register&) = default;
};

/// An integer constant, wrapped to 64 bits as PTX computes constant expressions (4.5.1).
struct Integer {
  std::uint64_t bits = 0;
  bool is_unsigned = false;  // written with U, or too large for .s64

  friend bool operator==(const Integer&, const Integer&) = default;
};

/// A floating-point constant: `0f3F800000` (single, 32 bits), `0d...` or decimal (64 bits). Stored
/// as bits, to preserve the payload of a NaN.
struct Float {
  std::uint64_t bits = 0;
  bool is_single = false;

  friend bool operator==(const Float&, const Float&) = default;
};

/// The address of a variable or function, plus a number of bytes.
struct Symbol {
  enum class Kind : std::uint8_t {
    module_variable,    // index into Module::variables
    function,           // index into Module::functions
    parameter,          // index into Function::parameters
    return_parameter,   // index into Function::return_parameters
    function_variable,  // index into Function::variables
  };
  Kind kind = Kind::module_variable;
  unsigned index = 0;
  std::int64_t addend = 0;

  friend bool operator==(const Symbol&, const Symbol&) = default;
};

/// A special register without its percent sign, with its component: "tid.x", "clock64", "laneid".
/// WARP_SZ is none: it is the integer 32.
struct SpecialRegister {
  std::string name;

  friend bool operator==(const SpecialRegister&, const SpecialRegister&) = default;
};

/// `_`: an unused result, or an omitted argument.
struct Sink {
  friend bool operator==(const Sink&, const Sink&) = default;
};

/// A member of a vector or of a list of parameters.
using Element = std::variant<Register, Integer, Float, Symbol, Sink>;

/// `{%f1, %f2, _, %f4}`.
struct Vector {
  std::vector<Element> elements;

  friend bool operator==(const Vector&, const Vector&) = default;
};

/// `[base+offset]`. The addend of a symbol is 0 here: it is part of `offset`.
struct Address {
  using Base = std::variant<Register, Symbol, Integer>;
  Base base;
  std::int64_t offset = 0;           // bytes
  std::vector<Base> more_bases;      // `[texture, sampler, {...}]`, `[a, mask]`
  std::vector<Element> coordinates;  // `[texture, {%f1, %f2}]`, `[tensor_map, {%r1, %r2}]`

  friend bool operator==(const Address&, const Address&) = default;
};

/// `%p|%q`: two destinations (setp, shfl, match, elect). Either may be a sink.
struct Pair {
  std::optional<Register> first;
  std::optional<Register> second;

  friend bool operator==(const Pair&, const Pair&) = default;
};

/// Index into Function::labels.
struct Label {
  unsigned index = 0;

  friend bool operator==(const Label&, const Label&) = default;
};

/// `(param0, param1)` of a call.
struct ParameterList {
  std::vector<Element> elements;

  friend bool operator==(const ParameterList&, const ParameterList&) = default;
};

/// The table of a brx.idx: index into Function::branch_targets.
struct BranchTargets {
  unsigned index = 0;

  friend bool operator==(const BranchTargets&, const BranchTargets&) = default;
};

/// The signature of an indirect call: index into Function::call_prototypes.
struct CallPrototype {
  unsigned index = 0;

  friend bool operator==(const CallPrototype&, const CallPrototype&) = default;
};

/// The possible callees of an indirect call: index into Function::call_targets.
struct CallTargets {
  unsigned index = 0;

  friend bool operator==(const CallTargets&, const CallTargets&) = default;
};

/// The target of a call is a Symbol of kind `function`.
using Operand =
    std::variant<Register, Integer, Float, Symbol, SpecialRegister, Sink, Vector, Address, Pair,
                 Label, ParameterList, BranchTargets, CallPrototype, CallTargets>;

}  // namespace warpcheck::ptx
