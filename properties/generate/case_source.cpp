#include "properties/generate/case_source.hpp"

#include "properties/generate/cases.hpp"
#include "properties/generate/tensor_cases.hpp"

namespace warpcheck::properties::generate {

std::unique_ptr<CaseSource> make_cases(const contract::Variant& variant,
                                       const CaseOptions& options) {
  if (variant.contract.tensors != nullptr) {
    return std::make_unique<TensorCases>(variant.contract, options.seed, options.max_size,
                                         options.int32_overflow_strides);
  }
  return std::make_unique<CaseGenerator>(variant, options.seed, options.int32_overflow_strides,
                                         options.max_size, options.sizes);
}

std::unique_ptr<CaseSource> make_cases(const contract::Contract& contract,
                                       const CaseOptions& options) {
  if (contract.tensors != nullptr) {
    return std::make_unique<TensorCases>(contract, options.seed, options.max_size,
                                         options.int32_overflow_strides);
  }
  return std::make_unique<CaseGenerator>(contract, options.seed, options.int32_overflow_strides,
                                         options.max_size, options.sizes);
}

}  // namespace warpcheck::properties::generate
