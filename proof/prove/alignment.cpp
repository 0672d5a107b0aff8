// The address of every access is a multiple of its size.
#include <fmt/format.h>

#include <set>

#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {
namespace {

/// The driver requires 16 bytes of the addresses of rows, and a copy those of the first column.
void check_copy(const Kernel& kernel, const Access& access, Gaps& gaps) {
  constexpr std::int64_t kUnitBytes = 16;
  Terms& terms = kernel.terms;
  const Buffer& buffer = *kernel.domain.buffer_at(*access.base);
  std::vector<Polynomial> bytes = {Polynomial::of(buffer.pointer)};
  for (std::size_t axis = 0; axis + 1 < buffer.axes.size(); ++axis) {
    bytes.push_back(Polynomial(buffer.element_bytes) * buffer.axes[axis].stride);
  }
  bytes.push_back(Polynomial(buffer.element_bytes) * access.box_indices.back());
  std::vector<Formula> wrong;
  for (const Polynomial& one : bytes) {
    wrong.push_back(terms.negate(terms.equal(terms.remainder(one, kUnitBytes), 0)));
  }
  Violation violation{access.path};
  violation.formulas.push_back(terms.any(wrong));
  require_impossible(kernel, violation,
                     fmt::format("the address, a stride or the first column of a copy of {} may be "
                                 "no multiple of 16 bytes",
                                 buffer.name),
                     access.instruction, gaps);
}

}  // namespace

Gaps prove_alignment(const Kernel& kernel) {
  Gaps gaps;
  Terms& terms = kernel.terms;
  const auto has_base = [](const Access& access) { return access.base.has_value(); };
  for (const Access& access : kernel.lifted.accesses) {
    if (has_base(access)) continue;
    gaps.push_back({fmt::format("{} is an address in no buffer of the contract",
                                short_text(terms, access.offset, "this")),
                    access.instruction});
    return gaps;
  }
  for (const AccessGroup& group : groups(accesses_where(kernel, has_base))) {
    const Access& first = group.first();
    if (first.is_box()) {
      check_copy(kernel, first, gaps);
      if (are_enough(kernel, gaps)) break;
      continue;
    }
    const std::int64_t alignment = first.alignment == 0 ? first.bytes : first.alignment;
    std::set<std::int64_t> rests;
    for (const std::int64_t number : group.numbers()) {
      rests.insert((number % alignment + alignment) % alignment);
    }
    for (const std::int64_t rest : rests) {
      const Polynomial address = Polynomial::of(*first.base) + group.base_offset() + rest;
      Violation violation{first.path};
      violation.formulas.push_back(
          terms.negate(terms.equal(terms.remainder(address, alignment), 0)));
      require_impossible(kernel, violation,
                         fmt::format("{} may be no multiple of {} bytes",
                                     short_text(terms, address, "the address"), alignment),
                         first.instruction, gaps);
    }
    if (are_enough(kernel, gaps)) break;
  }
  return gaps;
}

}  // namespace warpcheck::proof
