// Operations that several tests define.
#pragma once

#include <string>
#include <vector>

#include "operation/operation.hpp"

namespace warpcheck::operation {

/// An operation over the tensors x[rows, columns], w[columns] and at[rows] (integers), with the
/// output y[rows, columns] and the scalar `scale`. `definition` is at line 7, column 3.
inline Operation over_rows(const std::string& definition,
                           const Tensor& output = {"y", {"rows", "columns"}}) {
  Operation operation;
  operation.name = "example";
  operation.extents = {"rows", "columns"};
  operation.inputs = {{"x", {"rows", "columns"}}, {"w", {"columns"}}, {"at", {"rows"}, true}};
  operation.outputs = {output};
  operation.scalars = {"scale"};
  define(operation, definition, {"example.toml", 7, 3});
  return operation;
}

inline const std::string kSoftmax = R"(peak[i]  = max(j: scale * x[i,j])
total[i] = sum(j: exp(scale * x[i,j] - peak[i]))
y[i,j]   = exp(scale * x[i,j] - peak[i]) / total[i]
)";

}  // namespace warpcheck::operation
