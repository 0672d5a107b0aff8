// The fields and the operands of a case, by the kind of operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "campaign/case/case.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/operation_model.hpp"
#include "campaign/case/schema.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

/// See model_of().
class CaseModel {
 public:
  static const CaseModel& of_matrices();
  static const CaseModel& of_tensors();

  CaseModel() = default;
  CaseModel(const CaseModel&) = delete;
  CaseModel& operator=(const CaseModel&) = delete;
  virtual ~CaseModel() = default;

  /// See schema.hpp.
  [[nodiscard]] virtual CaseSchema schema(const contract::Contract& contract) const = 0;

  /// See normalized.hpp.
  [[nodiscard]] virtual Case normalized(const contract::Contract& contract, Case problem) const = 0;
  [[nodiscard]] virtual std::string ignored_field(const contract::Contract& contract,
                                                  const Case& problem) const = 0;

  /// See layout.hpp.
  [[nodiscard]] virtual Layouts lay_out(const contract::Contract& contract, const Case& problem,
                                        std::size_t limit_bytes) const = 0;

  /// Returns the value of a name in an expression of the contract; empty if it has none.
  [[nodiscard]] virtual std::optional<std::int64_t> value_of(const contract::Contract& contract,
                                                             const Case& problem,
                                                             std::string_view name) const = 0;

  /// Returns the address of a buffer modulo 256; empty for an unknown name.
  [[nodiscard]] virtual std::optional<std::int64_t> address_of(const contract::Contract& contract,
                                                               const Case& problem,
                                                               std::string_view buffer) const = 0;

  /// See schema.hpp.
  [[nodiscard]] virtual std::int64_t tight_stride(const contract::Contract& contract,
                                                  const Case& problem,
                                                  std::string_view field) const = 0;

  /// Makes the strides tight that are less than their operand needs.
  virtual void reset_short_strides(const contract::Contract& contract, Case& problem) const = 0;

  /// Returns the reason why no output of the case has an element: "m is 0"; empty if one has.
  [[nodiscard]] virtual std::string reason_without_output(const contract::Contract& contract,
                                                          const Case& problem) const = 0;

  /// Returns true if nothing is launched for the case, whatever the contract.
  [[nodiscard]] virtual bool launches_nothing(const Case& problem) const = 0;

  /// Returns about the multiply-adds of the case, or as many instructions.
  [[nodiscard]] virtual double work(const contract::Contract& contract,
                                    const Case& problem) const = 0;

  /// Returns the value of the field `operation` in a case line.
  [[nodiscard]] virtual std::string operation_field(const contract::Contract& contract) const = 0;

  /// Returns the operands with their types: "a f32 row, b f32 row, c f32 row", "x f32, y f32".
  [[nodiscard]] virtual std::string operands_text(const contract::Contract& contract) const = 0;

  /// Returns the name of the output: "D", "y", "the result (y, at)".
  [[nodiscard]] virtual std::string output_name(const contract::Contract& contract) const = 0;
};

/// See CaseModel.
[[nodiscard]] inline bool launches_nothing(const Case& problem) {
  return model_of<CaseModel>(problem).launches_nothing(problem);
}

}  // namespace warpcheck::campaign
