// The address of every access is a multiple of its size.
#include <fmt/format.h>

#include <set>

#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {

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
