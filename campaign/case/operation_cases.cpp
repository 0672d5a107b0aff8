#include "campaign/case/operation_cases.hpp"

#include "campaign/case/product.hpp"

namespace warpcheck::campaign {

const OperationCases& operation_cases(const contract::Contract& contract) {
  return is_product(contract) ? product::kCases : tensor::kCases;
}

}  // namespace warpcheck::campaign
