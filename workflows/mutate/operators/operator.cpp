#include "workflows/mutate/operators/operator.hpp"

#include <algorithm>
#include <array>

namespace warpcheck::workflows::mutate::operators {
namespace {

constexpr std::array<Operator, 13> kOperators = {{
    {"barrier-dropped", "a barrier or fence is left out", barrier_dropped},
    {"wait-changed", "a wait for copies lets one more group stay in flight, or waits for nothing",
     wait_changed},
    {"comparison-weakened", "< for <=, <= for <, > for >=, >= for >", comparison_weakened},
    {"comparison-shifted", "the constant of a comparison is off by one", comparison_shifted},
    {"predicate-dropped", "what was done under a condition is done always", predicate_dropped},
    {"predicate-negated", "what was done under a condition is done under its contrary",
     predicate_negated},
    {"address-shifted", "an access one element, or one vector, further or before", address_shifted},
    {"vector-moved", "a vector access moved by one of its elements", vector_moved},
    {"constant-shifted", "a constant of integer arithmetic is off by one", constant_shifted},
    {"operands-swapped",
     "the operands of a difference, quotient, comparison, choice, or the factor "
     "and addend of a multiply-add change places",
     operands_swapped},
    {"fma-to-mul", "a multiply-add adds nothing", fma_to_mul},
    {"rounding-changed", "rounded towards zero, not to nearest", rounding_changed},
    {"store-dropped", "a store or a copy to shared memory is left out", store_dropped},
}};

}  // namespace

std::span<const Operator> operators() { return kOperators; }

}  // namespace warpcheck::workflows::mutate::operators
