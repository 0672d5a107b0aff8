// Properties of a failing case that show its cause, by the kind of operation.
#pragma once

#include "campaign/case/operation_model.hpp"
#include "device/finding.hpp"

namespace warpcheck::campaign::shrink {

/// See model_of().
class SignatureModel {
 public:
  static const SignatureModel& of_matrices();
  static const SignatureModel& of_tensors();

  SignatureModel() = default;
  SignatureModel(const SignatureModel&) = delete;
  SignatureModel& operator=(const SignatureModel&) = delete;
  virtual ~SignatureModel() = default;

  /// Returns true if the buffer of an access has no element.
  [[nodiscard]] virtual bool is_empty(const Case& problem, const MemoryPlace& memory) const = 0;

  /// Returns true if no wrong element is right by chance where the operands are small integers.
  [[nodiscard]] virtual bool integers_show_every_error() const = 0;

  /// Returns true if an element that the kernel does not write is never right, whatever the data.
  [[nodiscard]] virtual bool shows_unwritten(const Case& problem) const = 0;

  /// Returns true if a result without terms is what the output held before the launch.
  [[nodiscard]] virtual bool keeps_output_without_terms(const Case& problem) const = 0;

  /// Returns true if each sum of the case has one term, so that a mistake of one term is one of
  /// all.
  [[nodiscard]] virtual bool has_one_term(const Case& problem) const = 0;

  /// Returns true if the sums of the case have no terms, so that it shows its cause less well.
  [[nodiscard]] virtual bool lacks_terms(const Case& problem) const = 0;
};

}  // namespace warpcheck::campaign::shrink
