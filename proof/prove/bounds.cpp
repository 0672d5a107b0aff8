// Every index of an access is within its axis, so that no access is in a gap between rows, and
// every access to another space is within its array.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {
namespace {

void check_array(const Kernel& kernel, const AccessGroup& group, const Array& array, Gaps& gaps) {
  const std::vector<std::int64_t> numbers = group.numbers();
  const Polynomial offset = group.base_offset();
  Terms& terms = kernel.terms;
  Violation violation{group.first().path};
  violation.formulas.push_back(
      terms.any({terms.less(offset + numbers.front(), 0),
                 terms.less(array.bytes, offset + numbers.back() + group.first().bytes)}));
  require_impossible(kernel, violation,
                     fmt::format("byte {} may be outside of the {} bytes of {}",
                                 short_text(terms, offset + numbers.back(), "of an access"),
                                 terms.text(array.bytes), array.name),
                     group.first().instruction, gaps);
}

/// An index is out of its range.
Formula is_outside(Terms& terms, const Buffer& buffer, const std::vector<Polynomial>& indices,
                   const Polynomial& count) {
  std::vector<Formula> parts;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Polynomial most = i + 1 == indices.size() ? indices[i] + count : indices[i] + 1;
    parts.push_back(terms.less(indices[i], 0));
    parts.push_back(terms.less(buffer.axes[i].extent, most));
  }
  return terms.any(parts);
}

/// The element is outside, whatever indices its address was taken for.
std::vector<Formula> is_surely_outside(Terms& terms, const Access& access, const Buffer& buffer,
                                       const Polynomial& count) {
  if (!buffer.is_nested) return {};
  Polynomial rest = access.offset.divided_by(buffer.element_bytes);
  std::vector<Polynomial> indices;
  std::vector<Formula> formulas;
  for (const Axis& axis : buffer.axes) {
    if (axis.stride == Polynomial(1)) {
      indices.push_back(rest);
      break;
    }
    const Polynomial index = terms.unknown("index", Level::thread);
    const Polynomial within = terms.unknown("place", Level::thread, {0, std::nullopt});
    formulas.push_back(terms.equal(rest, index * axis.stride + within));
    formulas.push_back(terms.less(within, axis.stride));
    indices.push_back(index);
    rest = within;
  }
  formulas.push_back(is_outside(terms, buffer, indices, count));
  return formulas;
}

constexpr std::size_t kLongestElement = 100;

std::string element_text(const Terms& terms, const std::vector<Polynomial>& indices) {
  std::vector<std::string> texts;
  for (const Polynomial& index : indices) texts.push_back(terms.text(index));
  const std::string text = fmt::format("[{}]", fmt::join(texts, ", "));
  return text.size() > kLongestElement ? " at this index" : text;
}

/// A copy through a tensor map omits elements that do not exist. It writes whole units of 16 bytes,
/// and the places of a store are not negative (measured on an H200). PTX ISA 5.5.
void check_box(const Kernel& kernel, const Access& access, const Buffer& buffer, Gaps& gaps) {
  constexpr std::int64_t kUnitBytes = 16;
  Terms& terms = kernel.terms;
  const auto require = [&](Formula is_wrong, const std::string& reason) {
    Violation violation{access.path};
    violation.formulas.push_back(is_wrong);
    require_impossible(kernel, violation, reason, access.instruction, gaps);
  };
  std::vector<Formula> empty;
  for (const Axis& axis : buffer.axes) empty.push_back(terms.less(axis.extent, 1));
  require(terms.any(empty),
          fmt::format("{} may have no element, and then has no tensor map", buffer.name));
  if (access.kind == AccessKind::read) return;
  std::vector<Formula> negative;
  for (const Polynomial& index : access.box_indices) negative.push_back(terms.less(index, 0));
  require(terms.any(negative), "a coordinate of a store may be negative");
  const Polynomial& columns = buffer.axes.back().extent;
  const Polynomial end = access.box_indices.back() + access.box.back();
  const Polynomial rest = terms.remainder(Polynomial(buffer.element_bytes) * columns, kUnitBytes);
  require(terms.all({terms.less(columns, end), terms.negate(terms.equal(rest, 0))}),
          fmt::format("a copy may write behind the last column of {}: it writes whole units of 16 "
                      "bytes",
                      buffer.name));
}

void check_global(const Kernel& kernel, const Access& access, const Buffer& buffer, Gaps& gaps) {
  Terms& terms = kernel.terms;
  const auto indices = position(terms, access, buffer);
  if (!indices) {
    gaps.push_back({fmt::format("no row and column of {} are found for the offset of {} bytes",
                                buffer.name, short_text(terms, access.offset, "this many")),
                    access.instruction});
    return;
  }
  const Polynomial count = elements(terms, access, buffer);
  Violation violation{access.path};
  violation.formulas.push_back(is_outside(terms, buffer, *indices, count));
  violation.exact = is_surely_outside(terms, access, buffer, count);
  require_impossible(kernel, violation,
                     fmt::format("{}{} may be outside of {}", buffer.name,
                                 element_text(terms, *indices), buffer.name),
                     access.instruction, gaps);
}

}  // namespace

Gaps prove_bounds(const Kernel& kernel) {
  Gaps gaps;
  for (const Limited& one : kernel.lifted.blocks_of_cluster) {
    Violation violation{one.path};
    violation.formulas.push_back(
        kernel.terms.negate(kernel.terms.within(one.value, one.least, one.most)));
    require_impossible(kernel, violation, one.reason, one.instruction, gaps);
    if (are_enough(kernel, gaps)) return gaps;
  }
  for (const AccessGroup& group :
       groups(accesses_where(kernel, [](const Access&) { return true; }))) {
    const Access& first = group.first();
    if (!first.base) {
      gaps.push_back({fmt::format("{} is an address in no buffer of the contract",
                                  short_text(kernel.terms, first.offset, "this")),
                      first.instruction});
    } else if (const Array* const array = kernel.lifted.array_at(*first.base)) {
      check_array(kernel, group, *array, gaps);
    } else {
      const Buffer* const buffer = kernel.domain.buffer_at(*first.base);
      for (const Access* access : group.members) {
        if (access->is_box()) {
          check_box(kernel, *access, *buffer, gaps);
        } else {
          check_global(kernel, *access, *buffer, gaps);
        }
      }
    }
    if (are_enough(kernel, gaps)) break;
  }
  return gaps;
}

}  // namespace warpcheck::proof
