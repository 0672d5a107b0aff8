// The numeric fields of a contract's cases, and the operands whose layout they describe. All that
// generates, shrinks and changes cases treats every operation alike by these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/scalar_type.hpp"
#include "campaign/case/case.hpp"
#include "campaign/case/memory_order.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

/// A numeric field of the cases of a contract.
struct CaseField {
  using Kind = FieldKind;

  CaseField(const LineField& field, bool taken)
      : name(field.name), kind(field.kind), default_number(field.default_number), is_taken(taken) {}

  /// Returns the number of the case. That of an order counts the orders that it may be.
  [[nodiscard]] double number(const Case& problem) const;
  void set_number(Case& problem, double value) const;

  /// The same for whole numbers. A factor is rounded.
  [[nodiscard]] std::int64_t get(const Case& problem) const;
  void set(Case& problem, std::int64_t value) const {
    set_number(problem, static_cast<double>(value));
  }

  [[nodiscard]] bool is_stride() const { return campaign::is_stride(kind); }
  [[nodiscard]] bool is_output_extent() const { return kind == Kind::extent && !is_reduced; }

  std::string name;
  Kind kind;
  double default_number;
  bool is_taken;  // false: no argument of the kernel depends on it, so that it has its default
  bool is_reduced = false;   // an extent that no output has: kernels loop over it
  bool has_zero = false;     // 0 is an ordinary value of this extent or factor
  bool is_name = true;       // false: no name of the contract's expressions
  MemoryOrders orders = {};  // those that an order may be

  /// The values that a factor usually has with this data, repeated by their weight.
  [[nodiscard]] const std::vector<double>& usual_values(Recipe data) const {
    return is_rounded(data) ? rounded_values : exact_values;
  }
  std::vector<double> exact_values;    // values for data whose sums are exact
  std::vector<double> rounded_values;  // values for other data
};

/// An operand of the kernel: matrices of lines that are contiguous in memory.
struct OperandShape {
  std::string name;      // "A", "x"
  std::string argument;  // its name in expressions: "a", "x"
  ScalarType type = ScalarType::f32;
  /// Extents, as expressions of the fields, the slowest first; the last one is the length of a
  /// line.
  std::vector<contract::Expression> dimensions;
  std::vector<std::string> shape;  // the same without regard to layout and transposition
  /// The elements from one index of a dimension to the next. A dimension without a stride follows
  /// from the next one: both are one.
  struct Stride {
    std::string name;                  // the name in expressions
    std::size_t within = 0;            // dimensions within one step: the last ones
    std::optional<std::size_t> field;  // its number; none: the kernel does not take it, it is tight
  };
  std::vector<Stride> strides;             // the shortest one first, unless the order differs
  std::optional<std::size_t> order_field;  // number of the field of the order in memory
  std::optional<std::size_t> offset_field;
  std::string layout;    // "row" or "col"; empty: operands of this operation have one layout
  bool is_taken = true;  // false: no argument of the kernel
  bool is_output = false;

  /// Returns true if the kernel takes one.
  [[nodiscard]] bool takes_stride() const;
  /// The number of dimensions, of the last ones, up to which a stride reaches: to that before the
  /// next longer stride, or all.
  [[nodiscard]] std::size_t reach(std::size_t stride) const {
    return stride + 1 < strides.size() ? strides[stride + 1].within : dimensions.size();
  }
};

/// A condition on the fields of a case.
struct CaseRule {
  contract::Expression condition;
  std::string text;  // "the grid of launch 1 has at most 1048576 blocks"
};

struct CaseSchema {
  std::vector<CaseField> fields;  // searches break ties in this order
  std::vector<OperandShape> operands;
  std::vector<CaseRule> rules;  // those that a layout needs beside strides that are long enough
  bool has_positions = false;   // an output holds integers: positions of equal elements
  bool reads_integers = false;  // an input does: addresses may depend on the elements
  std::vector<Recipe> recipes;  // those that data without a structure may have
  std::vector<Recipe> usual_recipes;  // the same, repeated by their weight
  std::vector<Recipe> structures;     // those of a structure
  contract::Expression elements;      // the elements of the operands, without padding
  std::string name_of_outputs;        // "D", "y", "the result (y, at)"
  std::string counted_operands;       // the operands of `elements`: "A, B and C"
  /// Threads along y stand for rows of the output, along x for columns.
  bool has_thread_axes = false;
  contract::Expression work;               // the approximate multiply-adds of a case
  contract::Expression most_instructions;  // the warp instructions that a simple kernel may execute
  /// The least sensitivity with which a pass shows that a kernel is right for a case.
  double decisive_sensitivity = 0.5;
  /// The bound holds for any order of evaluation, fused or not.
  bool bounds_any_order = false;
  /// A definition that reads outside of its operands, or a function that fails, has no value.
  bool may_lack_values = false;
  /// Launches take longer than the reference, and each block as long as a block of a whole tile.
  bool works_in_tiles = false;
  contract::Expression default_workspace_bytes;  // the size of a workspace that does not state it

  /// The number of a field; empty if there is none of this name.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  [[nodiscard]] std::vector<std::size_t> fields_of_kind(CaseField::Kind kind) const;
  /// The operand of this name, "A"; null if there is none.
  [[nodiscard]] const OperandShape* operand(std::string_view name) const;
  /// The numbers of all fields. Strides follow those that they step over.
  [[nodiscard]] std::vector<std::size_t> from_within(const Case& problem) const;
  /// Sets every extent to this size.
  void set_extents(Case& problem, std::int64_t size) const;
};

/// The schema of the contract's operation.
[[nodiscard]] CaseSchema case_schema(const contract::Contract& contract);

/// The fields alone.
[[nodiscard]] std::vector<CaseField> case_fields(const contract::Contract& contract);

/// Returns the fields of a case whose contract is not known. An operation of the language has those
/// that the case states; its extents and its factors have one kind.
[[nodiscard]] std::vector<CaseField> stated_fields(const Case& problem);

/// Returns true if the case states a stride.
[[nodiscard]] bool states_stride(const Case& problem);

/// Returns true if an extent of the case is 0, or a factor of an operation of the language: its
/// sums may have no terms, so that it shows its cause less well.
[[nodiscard]] bool lacks_terms(const Case& problem);

/// Returns the least value of the field of a stride that the layout of the case allows.
[[nodiscard]] std::int64_t tight_stride(const contract::Contract& contract, const Case& problem,
                                        std::string_view field);

/// Makes the strides tight that are less than their operand needs.
void reset_short_strides(const contract::Contract& contract, Case& problem);

}  // namespace warpcheck::campaign
