// The indices of an element, read off its distance from the first one: the index along an axis is
// the factor of the stride of the axis, and what remains is divided by the next stride. Elements
// whose indices are all in range lie at different places, so these indices are the only ones.
#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "proof/prove/kernel.hpp"

namespace warpcheck::proof {
namespace {

struct Division {
  Polynomial quotient;
  Polynomial rest;
};

/// The term of a stride that decides: that of the most symbols.
const Polynomial::Term& leading_term(const Polynomial& value) {
  return *std::max_element(value.terms().begin(), value.terms().end(),
                           [](const auto& one, const auto& other) {
                             return one.monomial.size() < other.monomial.size();
                           });
}

/// The monomial without the symbols of another one; empty if it lacks one of them.
std::optional<Monomial> without(const Monomial& monomial, const Monomial& symbols) {
  Monomial others;
  std::set_difference(monomial.begin(), monomial.end(), symbols.begin(), symbols.end(),
                      std::back_inserter(others));
  if (others.size() + symbols.size() != monomial.size()) return std::nullopt;
  return others;
}

/// True if the value contains x - (x / stride) stride, `factor` times: the remainder of x.
bool contains_remainder(const Terms& terms, const Polynomial& value, const Polynomial& stride,
                        const Monomial& quotient, std::int64_t factor) {
  if (quotient.size() != 1) return false;
  const auto* const ratio = std::get_if<Quotient>(&terms[quotient.front()].definition);
  if (ratio == nullptr || ratio->divisor != stride) return false;
  const auto& all = value.terms();
  return std::all_of(ratio->dividend.terms().begin(), ratio->dividend.terms().end(),
                     [&](const Polynomial::Term& term) {
                       const auto same = std::find_if(all.begin(), all.end(), [&](const auto& one) {
                         return one.monomial == term.monomial;
                       });
                       return same != all.end() && same->factor == term.factor * factor;
                     });
}

/// Divides by the leading term of a stride with symbols. Remainders of the stride are less than it.
std::optional<Division> divided(const Terms& terms, const Polynomial& value,
                                const Polynomial& stride) {
  constexpr int kMostSteps = 8;
  const Polynomial::Term& leading = leading_term(stride);
  Division division{{}, value};
  for (int step = 0; step < kMostSteps; ++step) {
    Polynomial quotient;
    for (const auto& [monomial, factor] : division.rest.terms()) {
      const auto others = without(monomial, leading.monomial);
      if (factor / leading.factor == 0) continue;
      if (!others || contains_remainder(terms, division.rest, stride, *others, -factor)) continue;
      quotient = quotient + Polynomial::of(*others, factor / leading.factor);
    }
    if (quotient.is_zero()) return division;
    division.quotient = division.quotient + quotient;
    division.rest = division.rest - quotient * stride;
  }
  return std::nullopt;
}

std::optional<Division> divided(Terms& terms, const Polynomial& value, const Polynomial& stride) {
  const auto number = stride.constant();
  if (!number) return divided(std::as_const(terms), value, stride);
  if (*number <= 0) return std::nullopt;
  return Division{terms.floor_div(value, *number), terms.remainder(value, *number)};
}

/// Replaces x by (x / stride) stride + its remainder, if the rest is x or differs from it by a
/// number, and the kernel computes that quotient.
void divide_dividends(const Terms& terms, const Polynomial& stride, Division& division) {
  for (SymbolId id = 0; id < terms.size(); ++id) {
    const auto* const ratio = std::get_if<Quotient>(&terms[id].definition);
    if (ratio == nullptr || ratio->divisor != stride) continue;
    if (!(division.rest - ratio->dividend).constant()) continue;
    division.quotient = division.quotient + Polynomial::of(id);
    division.rest = division.rest - Polynomial::of(id) * stride;
    return;
  }
}

/// The elements of one index of the axis follow those of the index before it without a gap.
bool is_dense(const Buffer& buffer, std::size_t axis) {
  const Axis& next = buffer.axes[axis + 1];
  return buffer.axes[axis].stride == next.extent * next.stride;
}

bool lacks_index(Terms& terms, const Access& access, const Buffer& buffer, std::size_t axis) {
  const auto indices = position(terms, access, buffer, Quotients::ignored);
  return indices && (*indices)[axis].is_zero();
}

/// The first axis that joins the next one; empty if none does.
std::optional<std::size_t> joined_axis(Terms& terms, const Buffer& buffer, const Lifted& lifted) {
  const auto is_box = [&](const Access& access) {
    return access.base == buffer.pointer && access.is_box();
  };
  if (std::ranges::any_of(lifted.accesses, is_box)) return std::nullopt;
  for (std::size_t axis = 0; axis + 1 < buffer.axes.size(); ++axis) {
    const auto is_joined = [&](const Access& access) {
      return access.base != buffer.pointer || lacks_index(terms, access, buffer, axis);
    };
    if (is_dense(buffer, axis) && std::ranges::all_of(lifted.accesses, is_joined)) return axis;
  }
  return std::nullopt;
}

}  // namespace

void shape_workspaces(Domain& domain, const Lifted& lifted) {
  for (Buffer& buffer : domain.buffers) {
    if (buffer.factors.empty()) continue;
    std::int64_t unit = 0;
    for (const Access& access : lifted.accesses) {
      if (access.base != buffer.pointer) continue;
      unit = std::gcd(unit, std::gcd(access.offset.divisor(), access.bytes));
    }
    const auto is_divisible = [&](const Polynomial& one) { return one.is_multiple_of(unit); };
    if (unit == 0) continue;
    const auto divided_factor =
        std::find_if(buffer.factors.begin(), buffer.factors.end(), is_divisible);
    if (divided_factor == buffer.factors.end()) continue;
    *divided_factor = divided_factor->divided_by(unit);
    std::erase(buffer.factors, Polynomial(1));
    buffer.element_bytes = unit;
    buffer.axes.clear();
    Polynomial stride = 1;
    for (auto extent = buffer.factors.rbegin(); extent != buffer.factors.rend(); ++extent) {
      buffer.axes.insert(buffer.axes.begin(), {*extent, stride});
      stride = stride * *extent;
    }
    if (buffer.axes.empty()) buffer.axes = {{1, 1}};
  }
}

void join_axes(Terms& terms, Domain& domain, const Lifted& lifted) {
  for (Buffer& buffer : domain.buffers) {
    while (const auto axis = joined_axis(terms, buffer, lifted)) {
      Axis& next = buffer.axes[*axis + 1];
      next.extent = buffer.axes[*axis].extent * next.extent;
      buffer.axes.erase(buffer.axes.begin() + static_cast<std::ptrdiff_t>(*axis));
    }
  }
}

std::optional<std::vector<Polynomial>> position(Terms& terms, const Access& access,
                                                const Buffer& buffer, Quotients quotients) {
  if (access.is_box()) return access.box_indices;
  if (!access.offset.is_multiple_of(buffer.element_bytes)) return std::nullopt;
  Polynomial rest = access.offset.divided_by(buffer.element_bytes);
  std::vector<Polynomial> indices;
  for (const Axis& axis : buffer.axes) {
    if (axis.stride == Polynomial(1)) {
      indices.push_back(rest);
      rest = 0;
      continue;
    }
    auto division = divided(terms, rest, axis.stride);
    if (!division) return std::nullopt;
    if (quotients == Quotients::applied) divide_dividends(terms, axis.stride, *division);
    indices.push_back(division->quotient);
    rest = division->rest;
  }
  const bool is_contiguous = buffer.axes.back().stride == Polynomial(1);
  const bool is_one = elements(terms, access, buffer) == Polynomial(1);
  if (!rest.is_zero() || (!is_contiguous && !is_one)) return std::nullopt;
  return indices;
}

Polynomial elements(Terms& terms, const Access& access, const Buffer& buffer) {
  const std::int64_t bytes = buffer.element_bytes;
  if (!access.size) return std::max<std::int64_t>(1, access.bytes / bytes);
  return terms.floor_div(*access.size + (bytes - 1), bytes);
}

}  // namespace warpcheck::proof
