#include "properties/slices.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"

namespace warpcheck::properties {
namespace {

using campaign::Placement;
using campaign::judge::Place;

/// The slices of the rows of each of `groups` groups of slices.of rows.
reference::Matrix rows_of(const reference::Matrix& matrix, std::int64_t groups,
                          const Slices& slices) {
  reference::Matrix part(0, matrix.columns);
  part.rows = groups * slices.count();
  for (std::int64_t group = 0; group < groups; ++group) {
    for (const std::int64_t from : slices.from) {
      const auto row = matrix.values.begin() +
                       static_cast<std::ptrdiff_t>((group * slices.of + from) * matrix.columns);
      part.values.insert(part.values.end(), row, row + static_cast<std::ptrdiff_t>(matrix.columns));
    }
  }
  return part;
}

reference::Matrix columns_of(const reference::Matrix& matrix, const Slices& slices) {
  reference::Matrix part(matrix.rows, slices.count());
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t column = 0; column < slices.count(); ++column) {
      part(row, column) = matrix(row, slices.from[static_cast<std::size_t>(column)]);
    }
  }
  return part;
}

/// The rows of the matrices of some products, which follow one another.
reference::Matrix products_of(const reference::Matrix& matrix, const Slices& slices) {
  const std::int64_t lines = matrix.rows / slices.of;
  Slices rows{"", matrix.rows, {}};
  for (const std::int64_t product : slices.from) {
    for (std::int64_t line = 0; line < lines; ++line) rows.from.push_back(product * lines + line);
  }
  return rows_of(matrix, 1, rows);
}

run::Operands slices_of_product(const Case& problem, const run::Operands& all,
                                const Slices& slices) {
  run::Operands part = all;
  const bool has_c = all.c.rows != 0;
  const std::int64_t products = problem.whole("batch");
  if (slices.extent == "m") {
    part.a = rows_of(all.a, products, slices);
    if (has_c) part.c = rows_of(all.c, products, slices);
  } else if (slices.extent == "n") {
    part.b = columns_of(all.b, slices);
    if (has_c) part.c = columns_of(all.c, slices);
    if (all.bias.rows != 0) part.bias = columns_of(all.bias, slices);
  } else {
    part.a = products_of(all.a, slices);
    part.b = products_of(all.b, slices);
    if (has_c) part.c = products_of(all.c, slices);
  }
  return part;
}

Place element_of_product(const Placement& output, Place element, const Slices& slices) {
  const auto from = [&](std::int64_t number) {
    return slices.from[static_cast<std::size_t>(number)];
  };
  const std::int64_t product = element.row / output.rows;
  const std::int64_t row = element.row % output.rows;
  if (slices.extent == "n") return {element.row, from(element.column)};
  if (slices.extent == "m") return {product * slices.of + from(row), element.column};
  return {from(product) * output.rows + row, element.column};
}

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
  if (has<Trait::is_product>(contract)) return slices_of_product(problem, all, slices);
  run::Operands part = all;
  for (const operation::Tensor& input : contract.tensors->operation.inputs) {
    reference::TensorData& values = part.tensors.at(input.name);
    values = slices_of(values, input.shape, slices);
  }
  return part;
}

Place element_of_whole(const Contract& contract, const Placement& output, Place element,
                       const Slices& slices) {
  if (has<Trait::is_product>(contract)) return element_of_product(output, element, slices);
  const std::vector<std::string>& names = tensor(contract, output.name).shape;
  const std::int64_t position = element.row * output.columns + element.column;
  const std::int64_t whole = position_in_whole(position, names, output.shape, slices);
  const bool is_last = !names.empty() && names.back() == slices.extent;
  const std::int64_t columns = is_last ? slices.of : output.columns;
  return {whole / columns, whole % columns};
}

const operation::Tensor& tensor(const Contract& contract, const std::string& name) {
  return *std::ranges::find(contract.tensors->tensors, name, &operation::Tensor::name);
}

}  // namespace warpcheck::properties
