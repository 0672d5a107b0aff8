#include <bit>

#include "device/virtual/semantics/atomics.hpp"
#include "device/virtual/semantics/bits.hpp"
#include "device/virtual/semantics/minmax.hpp"

namespace warpcheck::semantics {
namespace {

template <std::size_t bytes>
struct Word;
template <>
struct Word<2> {
  using Type = std::uint16_t;
};
template <>
struct Word<4> {
  using Type = std::uint32_t;
};
template <>
struct Word<8> {
  using Type = std::uint64_t;
};

template <class T, auto apply>
std::uint64_t reduce(std::uint64_t old, std::uint64_t operand) {
  using Bits = typename Word<sizeof(T)>::Type;
  const T result =
      apply(std::bit_cast<T>(static_cast<Bits>(old)), std::bit_cast<T>(static_cast<Bits>(operand)));
  return std::bit_cast<Bits>(result);
}

template <class T>
ReduceElement sum_or_extreme(BulkReduction reduction) {
  switch (reduction) {
    case BulkReduction::add:
      return reduce<T, [](T a, T b) { return atomic_add(a, b); }>;
    case BulkReduction::min:
      return reduce<T, [](T a, T b) { return min(a, b); }>;
    case BulkReduction::max:
      return reduce<T, [](T a, T b) { return max(a, b); }>;
    default:
      return nullptr;
  }
}

template <class T>
ReduceElement bit_operation(BulkReduction reduction) {
  switch (reduction) {
    case BulkReduction::conjunction:
      return reduce<T, [](T a, T b) { return bit_and(a, b); }>;
    case BulkReduction::disjunction:
      return reduce<T, [](T a, T b) { return bit_or(a, b); }>;
    case BulkReduction::xor_:
      return reduce<T, [](T a, T b) { return bit_xor(a, b); }>;
    default:
      return nullptr;
  }
}

ReduceElement counter_operation(BulkReduction reduction) {
  using T = std::uint32_t;
  if (reduction == BulkReduction::inc) {
    return reduce<T, [](T a, T b) { return atomic_inc(a, b); }>;
  }
  if (reduction == BulkReduction::dec) {
    return reduce<T, [](T a, T b) { return atomic_dec(a, b); }>;
  }
  return nullptr;
}

template <class T>
ReduceElement sum(BulkReduction reduction) {
  return reduction == BulkReduction::add
             ? reduce<T, [](T a, T b) { return atomic_add<true>(a, b); }>
             : nullptr;
}

ReduceElement first_of(ReduceElement one, ReduceElement other) {
  return one != nullptr ? one : other;
}

}  // namespace

ReduceElement bulk_reduction(BulkReduction reduction, unsigned type) {
  switch (type) {
    case 2:
      return first_of(
          first_of(sum_or_extreme<std::uint32_t>(reduction), counter_operation(reduction)),
          bit_operation<std::uint32_t>(reduction));
    case 3:
      return first_of(sum_or_extreme<std::int32_t>(reduction),
                      bit_operation<std::uint32_t>(reduction));
    case 4:
      return first_of(sum_or_extreme<std::uint64_t>(reduction),
                      bit_operation<std::uint64_t>(reduction));
    case 5:  // an H200 has neither sums nor operations on bits for this type
      return reduction == BulkReduction::add ? nullptr : sum_or_extreme<std::int64_t>(reduction);
    case 6:
      return sum_or_extreme<f16>(reduction);
    case 7:
      return sum<float>(reduction);
    case 8:
      return sum<double>(reduction);
    case 9:
      return sum_or_extreme<bf16>(reduction);
    default:
      return nullptr;
  }
}

}  // namespace warpcheck::semantics
