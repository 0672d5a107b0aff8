// The evaluation of an operation of the language, and the same with one element of an input
// changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "operation/host_function.hpp"
#include "reference/evaluate/arithmetic.hpp"
#include "reference/evaluate/changed_reads.hpp"
#include "reference/evaluate/element_reads.hpp"
#include "reference/evaluate/evaluate.hpp"
#include "reference/evaluate/row.hpp"

namespace warpcheck::reference {

/// Evaluates a problem when it is constructed. The problem must outlive the evaluation.
class TensorEvaluation {
 public:
  /// Throws as evaluate().
  explicit TensorEvaluation(const TensorProblem& problem);

  [[nodiscard]] const ExpectedTensors& outputs() const { return outputs_; }
  /// Moves the outputs out of the evaluation, which can compare nothing afterwards.
  [[nodiscard]] ExpectedTensors take_outputs() { return std::move(outputs_); }

  /// True if some output differs for certain when an element of an input has another value,
  /// whichever values within the tolerances are computed. Evaluates only the rows that may depend
  /// on the element, until one differs. Throws as evaluate().
  [[nodiscard]] bool differs_with(std::string_view input, std::size_t element, double value);

  /// The elements of all tensors that the element of an output depends on. The operation has
  /// statements.
  [[nodiscard]] ElementReads::Elements elements_read(const std::string& output,
                                                     std::size_t element) const;

 private:
  /// The elements of a tensor that are evaluated at once: those of a row, or one.
  struct Lines {
    std::string lane;  // the index of the elements of a row; empty: one element
    std::int64_t length = 1;
  };
  /// An element of a tensor before it changed.
  struct Replaced {
    BoundedTensor* tensor;
    std::size_t element;
    Bounded before;
  };

  void require_numbers() const;
  /// Sets the sums of tensor cores to those of the operands with the fewest fraction bits.
  void use_tensor_cores();
  [[nodiscard]] std::vector<std::int64_t> extents_of(const operation::Tensor& tensor) const;
  void add_input(const operation::Tensor& input);

  [[nodiscard]] Lines lines_of(const operation::Statement& statement) const;
  /// Returns an evaluator with the indices of the element number `begin`, but for that of a row.
  [[nodiscard]] RowEvaluator evaluator_at(const operation::Statement& statement,
                                          const BoundedTensor& tensor, const Lines& lines,
                                          std::int64_t begin) const;
  void compute(const operation::Statement& statement);
  /// Keeps the alternatives of the elements of a row of an output.
  void add_alternatives(const operation::Statement& statement, RowEvaluator& row,
                        const Lines& lines, std::int64_t begin);

  [[nodiscard]] bool is_output(std::string_view name) const;
  /// The type that a kernel may keep the tensor in, other than that of its sums; null: none.
  [[nodiscard]] const ScalarType* kept_type(const std::string& name) const;
  /// Adds the rounding of a tensor that kernels may keep in a type. A later statement may read an
  /// output as the kernel has stored it, or before that.
  void keep_in_type(const std::string& name, BoundedTensor& tensor);
  [[nodiscard]] ScalarType output_type(const std::string& name) const;
  [[nodiscard]] ExpectedTensor expected(const operation::Tensor& output);

  [[nodiscard]] bool has_subnormals_with(std::string_view input, std::size_t element,
                                         double value) const;
  [[nodiscard]] bool differs_entirely_with(std::string_view input, std::size_t element,
                                           double value) const;
  void replace(const std::string& name, BoundedTensor& tensor, std::size_t element,
               const Bounded& value);
  /// Evaluates the elements of a statement that may depend on replaced ones. Returns true if an
  /// output differs for certain.
  [[nodiscard]] bool replace_dependent(const operation::Statement& statement);
  void restore();

  const TensorProblem& problem_;
  operation::KernelArithmetic kernel_;
  Arithmetic arithmetic_;
  RowEvaluator::Numbers numbers_;
  RowEvaluator::Tensors tensors_;
  RowEvaluator::Tensors unrounded_;  // outputs of types narrower than sums, before they are rounded
  std::map<std::string, std::map<std::size_t, std::vector<Bounded>>, std::less<>> alternatives_;
  ExpectedTensors outputs_;
  std::size_t subnormals_ = 0;  // operands of tensor cores
  std::vector<Replaced> replaced_;
  ChangedElements changed_;
};

}  // namespace warpcheck::reference
