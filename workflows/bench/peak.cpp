#include "workflows/bench/peak.hpp"

namespace warpcheck::workflows::bench {
namespace {

struct Rates {
  double f64, f32, tensor_f64, tensor_tf32, tensor_16, tensor_8;
};

double rate(const Rates& rates, const contract::Contract& contract) {
  const ScalarType type = contract.type_a;
  if (!contract.tensor_cores) return type == ScalarType::f64 ? rates.f64 : rates.f32;
  switch (type) {
    case ScalarType::f64:
      return rates.tensor_f64;
    case ScalarType::tf32:
    case ScalarType::f32:
      return rates.tensor_tf32;
    case ScalarType::f16:
    case ScalarType::bf16:
      return rates.tensor_16;
    default:
      return rates.tensor_8;
  }
}

}  // namespace

double operations_per_clock(const contract::Contract& contract, int compute_capability) {
  if (compute_capability == 90) return rate({128, 256, 256, 2048, 4096, 8192}, contract);
  if (compute_capability == 80) return rate({64, 128, 128, 1024, 2048, 4096}, contract);
  return 0.0;
}

}  // namespace warpcheck::workflows::bench
