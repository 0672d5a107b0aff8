#include "properties/slices.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"

namespace warpcheck::properties {
namespace {

using campaign::Placement;
using campaign::judge::Place;

/// The position in the whole of an element of the slices of a dense tensor of this shape.
std::int64_t position_in_whole(std::int64_t position, const std::vector<std::string>& names,
                               const std::vector<std::int64_t>& shape, const Slices& slices) {
  std::int64_t whole = 0;
  std::int64_t step = 1;  // elements of the whole tensor from one index to the next
  for (std::size_t d = shape.size(); d-- > 0;) {
    const bool is_cut = names[d] == slices.extent;
    const std::int64_t index = position % shape[d];
    position /= shape[d];
    whole += step * (is_cut ? slices.from[static_cast<std::size_t>(index)] : index);
    step *= is_cut ? slices.of : shape[d];
  }
  return whole;
}

/// The slices of a matrix for each product of the batch, or of a bias.
reference::Matrix slices_of(const Case& problem, const reference::Matrix& all,
                            const std::vector<std::string>& names, const Slices& slices) {
  if (all.rows == 0) return all;
  std::vector<std::int64_t> shape;
  std::int64_t rows = 1;
  for (const std::string& name : names) {
    if (!shape.empty()) rows *= shape.back();
    shape.push_back(name == slices.extent ? slices.count() : problem.whole(name));
  }
  auto part = reference::Matrix::uninitialized(rows, shape.back());
  for (std::size_t i = 0; i < part.values.size(); ++i) {
    const std::int64_t from = position_in_whole(static_cast<std::int64_t>(i), names, shape, slices);
    part.values[i] = all.values[static_cast<std::size_t>(from)];
  }
  return part;
}

}  // namespace

Case with_extent(const Contract& contract, Case problem, const std::string& name,
                 std::int64_t size) {
  problem.set_value(name, size);
  campaign::reset_short_strides(contract, problem);
  return normalized(contract, problem);
}

std::int64_t random_below(const Case& problem, std::uint64_t number, std::int64_t below) {
  return static_cast<std::int64_t>(mixed(problem.seed, number) % static_cast<std::uint64_t>(below));
}

Case with_rounded_sums(const Contract&, const Case& problem) {
  Case changed = problem;
  if (changed.data != Recipe::wide) changed.data = Recipe::normal;
  return changed;
}

bool is_batch_invariant(const Contract& contract, const std::string& extent) {
  return std::ranges::find(contract.batch_invariant, extent) != contract.batch_invariant.end();
}

reference::TensorData slices_of(const reference::TensorData& all,
                                const std::vector<std::string>& names, const Slices& slices) {
  reference::TensorData part;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < all.extents.size(); ++d) {
    part.extents.push_back(names[d] == slices.extent ? slices.count() : all.extents[d]);
    count *= part.extents.back();
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t from = position_in_whole(i, names, part.extents, slices);
    part.values.push_back(all.values[static_cast<std::size_t>(from)]);
  }
  return part;
}

run::Operands slices_of(const Contract& contract, const Case& problem, const run::Operands& all,
                        const Slices& slices) {
  run::Operands part = all;
  if (!campaign::has_definition(contract)) {
    part.a = slices_of(problem, all.a, {"batch", "m", "k"}, slices);
    part.b = slices_of(problem, all.b, {"batch", "k", "n"}, slices);
    part.c = slices_of(problem, all.c, {"batch", "m", "n"}, slices);
    part.bias = slices_of(problem, all.bias, {"n"}, slices);
    return part;
  }
  for (const operation::Tensor& input : contract.tensors->operation.inputs) {
    reference::TensorData& values = part.tensors.at(input.name);
    values = slices_of(values, input.shape, slices);
  }
  return part;
}

Place element_of_whole(const Contract& contract, const Placement& output, Place element,
                       const Slices& slices) {
  static const std::vector<std::string> kMatrices = {"batch", "m", "n"};
  const bool is_matrix = !campaign::has_definition(contract);
  const std::vector<std::string>& names =
      is_matrix ? kMatrices : tensor(contract, output.name).shape;
  const std::vector<std::int64_t> matrices = {output.batch, output.rows, output.columns};
  const std::int64_t position = element.row * output.columns + element.column;
  const std::int64_t whole =
      position_in_whole(position, names, is_matrix ? matrices : output.shape, slices);
  const bool is_last = !names.empty() && names.back() == slices.extent;
  const std::int64_t columns = is_last ? slices.of : output.columns;
  return {whole / columns, whole % columns};
}

const operation::Tensor& tensor(const Contract& contract, const std::string& name) {
  return *std::ranges::find(contract.tensors->tensors, name, &operation::Tensor::name);
}

}  // namespace warpcheck::properties
