#include "campaign/run/operands.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#include "base/hash.hpp"
#include "campaign/case/product.hpp"
#include "campaign/generate/data/data.hpp"

namespace warpcheck::campaign::run {

generate::DataTypes data_types(const contract::Contract& contract) {
  return {contract.type_a, contract.type_b, contract.type_c, contract.accumulate,
          contract.tensor_cores};
}

namespace {

Operands matrix_operands(const contract::Contract& contract, const Case& problem) {
  const Product product(problem);
  Operands all{{0, product.k}, {0, product.n}, {0, product.n}, {}};
  const auto append = [](reference::Matrix& to, reference::Matrix more) {
    if (to.rows == 0) {
      to = std::move(more);
      return;
    }
    to.rows += more.rows;
    to.values.insert(to.values.end(), more.values.begin(), more.values.end());
  };
  const bool finite_ab = contract.reads_ab_at_alpha_zero && product.alpha == 0.0;
  const bool finite_c = contract.reads_c_at_beta_zero && product.beta == 0.0;
  const bool reads_c = contract.reads_c_at_beta_zero || product.beta != 0.0;
  Case simple = problem;
  simple.data = Recipe::lattice;
  for (std::int64_t number = 0; number < product.batch; ++number) {
    const generate::Data data(product_of(problem, number), data_types(contract));
    const generate::Data finite(product_of(simple, number), data_types(contract));
    append(all.a, (finite_ab ? finite : data).matrix(generate::Operand::a));
    append(all.b, (finite_ab ? finite : data).matrix(generate::Operand::b));
    if (reads_c) append(all.c, (finite_c ? finite : data).matrix(generate::Operand::c));
  }
  // 0 * C must not be -0, so that it changes no bit of a result.
  if (finite_c) {
    for (double& value : all.c.values) value = std::abs(value);
  }
  if (contract.takes(ArgumentWord::bias)) {
    all.bias = generate::Data(problem, data_types(contract)).bias();
  }
  return all;
}

}  // namespace

Operands operands(const contract::Contract& contract, const Case& problem) {
  if (is_product(contract)) return matrix_operands(contract, problem);
  Operands tensors;
  tensors.tensors = generate::tensor_values(*contract.tensors, problem);
  return tensors;
}

Case product_of(const Case& problem, std::int64_t number) {
  Case product = problem;
  product.seed += fibonacci_hash(static_cast<std::uint64_t>(number));
  return product;
}

reference::Matrix rows_of(const reference::Matrix& matrix, std::int64_t first, std::int64_t count) {
  reference::Matrix rows(0, matrix.columns);
  rows.rows = count;
  const auto begin = matrix.values.begin() + static_cast<std::ptrdiff_t>(first * matrix.columns);
  rows.values.assign(begin, begin + static_cast<std::ptrdiff_t>(count * matrix.columns));
  return rows;
}

}  // namespace warpcheck::campaign::run
