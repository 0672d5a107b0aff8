// One PTX instruction form: the instruction, what it reads, what it writes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::golden {

/// What an operand holds. `pred` is a predicate, brought out as 0 or 1.
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
  std::string_view name;    // as PTX spells it, without the dot
  std::size_t bits;         // that an input draws
  std::string_view reg;     // register type that holds it
  std::string_view access;  // type of the load or store
};

[[nodiscard]] const TypeFacts& facts(Type type);
[[nodiscard]] Type type_named(std::string_view name);

/// Bytes that an output of this type leaves in memory. An 8-bit result is stored as its whole
/// 32-bit register, so that its extension is seen.
[[nodiscard]] std::size_t stored_bytes(Type type);

struct Form {
  std::string family;
  std::string name;  // unique: the instruction under test as PTX text, or what sets it apart
  std::string body;  // reads %a0, %a1 ..., writes %d0, %d1 ...; may use what kernel.hpp declares
  std::vector<Type> outputs;
  std::vector<Type> inputs;
  bool approximate = false;      // PTX bounds the error and leaves the bits open
  bool nonzero_divisor = false;  // %a1 is never zero
};

/// Every form, in the order in which they are recorded. Written from the PTX ISA manual, not from
/// the virtual device's table.
[[nodiscard]] std::vector<Form> all_forms();

/// "add{.rn|.rz}{|.ftz}.f32" -> add.rn.f32, add.rn.ftz.f32, add.rz.f32, add.rz.ftz.f32.
[[nodiscard]] std::vector<std::string> expand(std::string_view pattern);

/// Collects the forms of one family.
class Family {
 public:
  Family(std::vector<Form>& forms, std::string name) : forms_(forms), name_(std::move(name)) {}

  /// "MNEMONIC outputs, inputs;" for every expansion of `pattern`. Types are spelt as PTX does,
  /// blank between them; in all three `$` stands for the same element of `types`. Words of `inputs`
  /// that are no types ("0x1f") are written as they are.
  Family& plain(std::string_view pattern, std::string_view outputs, std::string_view inputs,
                std::string_view types = "");

  /// Any text: `pattern` is expanded and `$` replaced in it likewise.
  Family& text(std::string_view pattern, std::string_view outputs, std::string_view inputs,
               std::string_view types = "");

  /// Of the forms that were added last.
  Family& approximate();
  Family& nonzero_divisor();

 private:
  std::vector<Form>& forms_;
  std::string name_;
  std::size_t last_ = 0;  // where the forms added last begin
};

void add_integer_forms(std::vector<Form>& forms);
void add_float_forms(std::vector<Form>& forms);
void add_half_forms(std::vector<Form>& forms);
void add_convert_forms(std::vector<Form>& forms);
void add_compare_forms(std::vector<Form>& forms);
void add_atomic_forms(std::vector<Form>& forms);
void add_warp_forms(std::vector<Form>& forms);

}  // namespace warpcheck::golden
