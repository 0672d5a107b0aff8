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

const FunctionError& fast_function_error(operation::Op op) {
  using operation::Op;
  // __expf has 2 + floor(|1.173 x|) ULP, __logf 3 ULP, or 2^-21.41 near 1.
  static constexpr FunctionError kExp{[](double x) { return std::exp(x); }, 4.0, 2.5};
  static constexpr FunctionError kLog{[](double x) { return std::log(x); }, 6.0, 0.0, 3.6e-7};
  static constexpr FunctionError kTanh{[](double x) { return std::tanh(x); }, 8192.0};
  switch (op) {
    case Op::exp:
      return kExp;
    case Op::log:
      return kLog;
    case Op::tanh:
      return kTanh;
    default:
      return function_error(op);
  }
}

}  // namespace warpcheck::reference
