#include "reference/evaluate/function_error.hpp"

#include <cmath>

namespace warpcheck::reference {

const FunctionError& function_error(operation::Op op) {
  using operation::Op;
  static constexpr FunctionError kExp{[](double x) { return std::exp(x); }, 4.0, 2.0};
  static constexpr FunctionError kLog{[](double x) { return std::log(x); }, 4.0};
  // 1 / rsqrt(x), or x rsqrt(x), has three roundings more than the square root.
  static constexpr FunctionError kSqrt{[](double x) { return std::sqrt(x); }, 6.0};
  static constexpr FunctionError kRsqrt{[](double x) { return 1.0 / std::sqrt(x); }, 6.0};
  static constexpr FunctionError kTanh{[](double x) { return std::tanh(x); }, 4.0};
  static constexpr FunctionError kErf{[](double x) { return std::erf(x); }, 4.0};
  switch (op) {
    case Op::exp:
      return kExp;
    case Op::log:
      return kLog;
    case Op::sqrt:
      return kSqrt;
    case Op::rsqrt:
      return kRsqrt;
    case Op::tanh:
      return kTanh;
    default:
      return kErf;
  }
}

}  // namespace warpcheck::reference
