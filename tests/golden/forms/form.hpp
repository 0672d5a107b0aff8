// One PTX instruction form: the instruction, its inputs and its outputs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::golden {

/// The type of an operand. `pred` is a predicate, stored as 0 or 1.
enum class Type {
  pred,
  u8,
  s8,
  b8,
  u16,
  s16,
  b16,
  f16,
  bf16,
  u32,
  s32,
  b32,
  f32,
  f16x2,
  bf16x2,
  tf32,
  e4m3x2,
  e5m2x2,
  u16x2,
  s16x2,
  u64,
  s64,
  b64,
  f64,
};

struct TypeFacts {
  Type type;
  std::string_view name;    // the spelling of PTX, without the dot
  std::size_t bits;         // random bits of an input
  std::string_view reg;     // type of its register
  std::string_view access;  // type of the load or store
};

[[nodiscard]] const TypeFacts& facts(Type type);
[[nodiscard]] Type type_named(std::string_view name);

/// The bytes of a stored output of this type. An 8-bit result is stored as its 32-bit register, so
/// that a test covers its extension.
[[nodiscard]] std::size_t stored_bytes(Type type);

struct Form {
  std::string family;
  std::string name;  // unique: the tested instruction as PTX text, or a distinction
  std::string body;  // reads %a0, %a1 ..., writes %d0, %d1 ...; may use the names of kernel.hpp
  std::vector<Type> outputs;
  std::vector<Type> inputs;
  bool approximate = false;      // PTX bounds the error, but does not define the bits
  bool nonzero_divisor = false;  // %a1 is never zero
};

/// Every form in the order of the recording. The list follows the PTX ISA manual, independently of
/// the virtual device's table.
[[nodiscard]] std::vector<Form> all_forms();

/// "add{.rn|.rz}{|.ftz}.f32" -> add.rn.f32, add.rn.ftz.f32, add.rz.f32, add.rz.ftz.f32.
[[nodiscard]] std::vector<std::string> expand(std::string_view pattern);

/// Collects the forms of one family.
class Family {
 public:
  Family(std::vector<Form>& forms, std::string name) : forms_(forms), name_(std::move(name)) {}

  /// Adds "MNEMONIC outputs, inputs;" for every expansion of `pattern`. Types have their PTX names,
  /// separated by blanks; `$` in all three stands for the same element of `types`. Words of
  /// `inputs` that are no types ("0x1f") are copied.
  Family& plain(std::string_view pattern, std::string_view outputs, std::string_view inputs,
                std::string_view types = "");

  /// Adds the text `pattern`, expanded and with `$` replaced in the same way.
  Family& text(std::string_view pattern, std::string_view outputs, std::string_view inputs,
               std::string_view types = "");

  /// Sets the property of the forms of the last call.
  Family& approximate();
  Family& nonzero_divisor();

 private:
  std::vector<Form>& forms_;
  std::string name_;
  std::size_t last_ = 0;  // begin of the forms of the last call
};

void add_integer_forms(std::vector<Form>& forms);
void add_float_forms(std::vector<Form>& forms);
void add_half_forms(std::vector<Form>& forms);
void add_convert_forms(std::vector<Form>& forms);
void add_compare_forms(std::vector<Form>& forms);
void add_atomic_forms(std::vector<Form>& forms);
void add_warp_forms(std::vector<Form>& forms);

}  // namespace warpcheck::golden
