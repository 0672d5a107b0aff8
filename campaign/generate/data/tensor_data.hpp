// The values of the inputs of an operation of the language.
//   lattice  integers +-1 .. +-4: sums and products of them are exact
//   normal   N(0, 1)
//   wide     exponents of elements between 2^-s and 2^s, where s is from 1 to 12, or less in narrow
//            formats, and differs from row to row
//   special  the lattice, and in one row of 16 of one input a NaN, an infinity or the largest
//            finite value; of three dimensions or more, in every second slice along the first one
// Recipes after special have a structure, see structure.hpp: one input, which the seed chooses, and
// one in four of the others has it; the elements without it are the lattice or `normal`. In crowded
// data, integers and tensors with a range have theirs, see ranged_data.hpp.
// If the reference computes in double, and does not bound the errors of large numbers itself, wide
// is `normal`, and special has no largest value. Recipes that only gemm has are `normal`. A tensor
// with a range has numbers in it, of all recipes; one that is finite has no special values. The
// elements of a row of a sorted one ascend, so that they depend on its size. A tensor of integers
// without a range holds positions along the extent at which the definition uses them as an index,
// otherwise 0 to 7.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "campaign/case/case.hpp"
#include "contract/contract.hpp"
#include "reference/evaluate/evaluate.hpp"

namespace warpcheck::campaign::generate {

using TensorValues = std::map<std::string, reference::TensorData, std::less<>>;

/// Returns values of the types of the tensors: a pure function of the case's seed, the tensor, the
/// row and the column, so that a smaller size does not change the elements that remain.
[[nodiscard]] TensorValues tensor_values(const contract::TypedOperation& operation,
                                         const Case& problem);

/// Returns the reference's problem, with the scalars of the case.
[[nodiscard]] reference::TensorProblem tensor_problem(const contract::Contract& contract,
                                                      const Case& problem, TensorValues inputs);

/// Returns true if the definition reads nothing outside of its operands, and no function fails.
[[nodiscard]] bool has_values(const contract::Contract& contract, const Case& problem);

/// The least and the greatest value of the elements of an input of integers.
[[nodiscard]] std::pair<double, double> integer_limits(const contract::TypedOperation& operation,
                                                       const Case& problem,
                                                       const operation::Tensor& tensor);

}  // namespace warpcheck::campaign::generate
