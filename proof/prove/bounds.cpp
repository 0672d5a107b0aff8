// Every access is within a row of its matrix, never in the padding, or within its shared array.
#include <fmt/format.h>

#include <algorithm>

#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {
namespace {

void check_shared(const Kernel& kernel, const AccessGroup& group, Gaps& gaps) {
  const auto& arrays = kernel.lifted.shared_arrays;
  const auto array = std::find_if(arrays.begin(), arrays.end(), [&](const SharedArray& one) {
    return one.base == group.first().base;
  });
  const std::vector<std::int64_t> numbers = group.numbers();
  const Polynomial offset = group.base_offset();
  Terms& terms = kernel.terms;
  Violation violation{group.first().path};
  violation.formulas.push_back(
      terms.any({terms.less(offset + numbers.front(), 0),
                 terms.less(array->bytes, offset + numbers.back() + group.first().bytes)}));
  require_impossible(kernel, violation,
                     fmt::format("byte {} may be outside of the {} bytes of {}",
                                 terms.text(offset + numbers.back()), array->bytes, array->name),
                     group.first().instruction, gaps);
}

/// The element is outside of the matrix, whatever row and column its address was taken for.
std::vector<Formula> is_outside(Terms& terms, const Access& access, const Matrix& matrix,
                                const Polynomial& count) {
  const Polynomial element = access.offset.divided_by(matrix.element_bytes);
  if (!matrix.stride) {
    return {terms.any({terms.less(element, 0), terms.less(matrix.columns, element + count)})};
  }
  const Polynomial row = terms.unknown("row", Level::thread);
  const Polynomial column = terms.unknown("column", Level::thread, {0, std::nullopt});
  return {terms.equal(element, row * *matrix.stride + column), terms.less(column, *matrix.stride),
          terms.any({terms.less(row, 0), terms.at_most(matrix.rows, row),
                     terms.less(matrix.columns, column + count)})};
}

void check_global(const Kernel& kernel, const Access& access, const Matrix& matrix, Gaps& gaps) {
  Terms& terms = kernel.terms;
  const auto place = position(terms, access, matrix);
  if (!place) {
    gaps.push_back({fmt::format("no row and column of {} are found in the offset of {} bytes",
                                matrix.name, terms.text(access.offset)),
                    access.instruction});
    return;
  }
  const Polynomial count = elements(terms, access, matrix);
  Violation violation{access.path};
  violation.formulas.push_back(
      terms.any({terms.less(place->row, 0), terms.at_most(matrix.rows, place->row),
                 terms.less(place->column, 0), terms.less(matrix.columns, place->column + count)}));
  violation.exact = is_outside(terms, access, matrix, count);
  require_impossible(kernel, violation,
                     fmt::format("row {}, column {} may be outside of {}", terms.text(place->row),
                                 terms.text(place->column), matrix.name),
                     access.instruction, gaps);
}

}  // namespace

Gaps prove_bounds(const Kernel& kernel) {
  Gaps gaps;
  for (const AccessGroup& group :
       groups(accesses_where(kernel, [](const Access&) { return true; }))) {
    const Access& first = group.first();
    if (!first.base) {
      gaps.push_back({fmt::format("the address {} belongs to no buffer that is known",
                                  kernel.terms.text(first.offset)),
                      first.instruction});
    } else if (first.is_shared) {
      check_shared(kernel, group, gaps);
    } else {
      const Matrix* const matrix = kernel.domain.matrix_at(*first.base);
      for (const Access* access : group.members) check_global(kernel, *access, *matrix, gaps);
    }
    if (are_enough(kernel, gaps)) break;
  }
  return gaps;
}

}  // namespace warpcheck::proof
