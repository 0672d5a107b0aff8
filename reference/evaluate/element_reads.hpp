// Finds the elements of the tensors that one element of an output depends on.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "operation/operation.hpp"
#include "reference/evaluate/row.hpp"

namespace warpcheck::reference {

/// Follows the reads of the definition. A term that `where` leaves out and the operand that
/// `select` does not choose are not read; those of an uncertain condition are, and both operands of
/// `either`.
class ElementReads {
 public:
  /// For each tensor, true for the elements that are read.
  using Elements = std::map<std::string, std::vector<bool>, std::less<>>;

  /// The tensors have their values. The references must outlive the object.
  ElementReads(const operation::Operation& operation, const RowEvaluator::Tensors& tensors,
               const RowEvaluator::Numbers& numbers, const Arithmetic& arithmetic);

  /// The operation has statements. May be called once.
  [[nodiscard]] Elements of(const std::string& output, std::size_t element);

 private:
  void read(const std::string& tensor, std::size_t element);
  /// Sets the indices of the statement to those of the element, and follows its reads.
  void follow(const operation::Statement& statement, std::size_t element);
  void visit(const operation::Node& node);
  void visit_read(const operation::Node& node);
  void visit_select(const operation::Node& node);
  /// Visits the terms for all values of the indices from `depth` on.
  void visit_terms(const operation::Node& node, std::size_t depth);
  /// True unless the condition certainly is not `value`.
  [[nodiscard]] bool may_be(const operation::Node& condition, bool value);

  const operation::Operation& operation_;
  const RowEvaluator::Tensors& tensors_;
  const RowEvaluator::Numbers& numbers_;
  RowEvaluator evaluator_;
  Elements read_;
  std::vector<std::pair<std::string, std::size_t>> pending_;  // elements whose reads are unknown
};

}  // namespace warpcheck::reference
