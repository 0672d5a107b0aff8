// Contracts of operations of the language, for tests.
#pragma once

#include <string>

#include "contract/contract.hpp"

namespace warpcheck::campaign::testing {

/// y[d,i] = scale * sum(j: x[d,i,j]), where the kernel takes the stride of x.
inline constexpr const char* kRowSums = R"toml(
[[operation]]
name    = "row_sums"
extents = ["depth", "rows", "columns"]
inputs  = { x = { shape = ["depth", "rows", "columns"] } }
outputs = { y = { shape = ["depth", "rows"] } }
scalars = ["scale"]
define  = "y[d,i] = scale * sum(j: x[d,i,j])"

[[variant]]
name      = "sums"
operation = "row_sums"
kernel    = "sums"
arguments = ["x", "stride_x", "y", "scale", "depth", "rows", "columns"]
block     = [96]
grid      = ["ceil_div(rows, 48)", "depth"]
)toml";

/// The same with the distance of the matrices as an argument.
inline std::string batched_row_sums() {
  std::string text = kRowSums;
  const std::string stride = "\"stride_x\"";
  return text.insert(text.find(stride) + stride.size(), ", \"batch_stride_x\"");
}

/// y[t,j] = table[at[t],j] * weight[t] for the first length[t] columns; 0 for the others.
inline constexpr const char* kGather = R"toml(
[[operation]]
name    = "gather"
extents = ["tokens", "words", "columns"]
inputs  = { table = { shape = ["words", "columns"], finite = true }, at = { shape = ["tokens"], integer = true }, weight = { shape = ["tokens"], range = [0, 1] }, length = { shape = ["tokens"], integer = true, range = [0, "columns"] } }
outputs = { y = { shape = ["tokens", "columns"] } }
define  = "y[t,j] = select(j < length[t], table[at[t], j] * weight[t], 0)"

[[variant]]
name      = "rows"
operation = "gather"
kernel    = "rows"
arguments = ["table", "at", "weight", "length", "y", "tokens", "columns"]
block     = [32]
grid      = ["tokens"]
)toml";

/// The only variant of the text. `more` are further keys of it.
inline contract::Contract operation_contract(const std::string& toml,
                                             const std::string& more = {}) {
  return contract::parse_contracts(toml + more, {"test.toml", 1, 1}).front();
}

}  // namespace warpcheck::campaign::testing
