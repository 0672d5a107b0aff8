#include "campaign/case/normalized.hpp"

#include <utility>

#include "campaign/case/tensor_case.hpp"
#include "campaign/matrices/product.hpp"
#include "campaign/matrices/product_case.hpp"

namespace warpcheck::campaign {

Case normalized(const contract::Contract& contract, Case problem) {
  return is_product(contract) ? product::normalized(contract, std::move(problem))
                              : tensor::normalized(contract, problem);
}

std::string ignored_field(const contract::Contract& contract, const Case& problem) {
  return is_product(contract) ? product::ignored_field(contract, problem)
                              : tensor::ignored_field(contract, problem);
}

}  // namespace warpcheck::campaign
