// Access to the parts of the program that differ between the two kinds of operations.
#pragma once

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

/// Returns the implementation of an interface for the operation of a contract. There are two kinds
/// of operations: the product of matrices, with fields of its own in a case and a reference that
/// runs through Eigen, and the operations of the language, on tensors. Each room that treats them
/// differently has an abstract class, such as CaseModel, with an implementation in
/// campaign/matrices and one in campaign/tensors. All other code is the same for every
/// operation: these are the only tests of the kind.
template <typename Interface>
[[nodiscard]] const Interface& model_of(const contract::Contract& contract) {
  return contract.tensors != nullptr ? Interface::of_tensors() : Interface::of_matrices();
}

/// The same for the operation of a case.
template <typename Interface>
[[nodiscard]] const Interface& model_of(const Case& problem) {
  return problem.operation.empty() ? Interface::of_matrices() : Interface::of_tensors();
}

}  // namespace warpcheck::campaign
