#include "campaign/case/product.hpp"

namespace warpcheck::campaign {

Product::Product(const Case& problem)
    : m(problem.whole("m")),
      n(problem.whole("n")),
      k(problem.whole("k")),
      ta(problem.number("ta") != 0.0),
      tb(problem.number("tb") != 0.0),
      batch(problem.whole("batch")),
      alpha(problem.number("alpha")),
      beta(problem.number("beta")) {}

std::span<const LineField> known_fields(std::string_view operation) {
  if (operation == kDefaultOperation) return kProductFields;
  return {};
}

bool is_product(const Case& problem) { return problem.operation == kDefaultOperation; }

bool is_product(const contract::Contract& contract) { return contract.tensors == nullptr; }

bool has_definition(const Case& problem) { return !is_product(problem); }

bool has_definition(const contract::Contract& contract) { return !is_product(contract); }

bool integers_show_every_error(const Case& problem) { return is_product(problem); }

bool overwrites_output(const Case& problem) {
  return is_product(problem) && problem.number("beta") == 0.0;
}

bool keeps_output_without_terms(const Case& problem) {
  return is_product(problem) && problem.number("beta") == 1.0;
}

bool product_shows_terms(const Case& problem) {
  return problem.number("k") > 0.0 && problem.number("alpha") != 0.0 &&
         problem.data != Recipe::onehot;
}

bool launches_nothing(const Case& problem) {
  return is_product(problem) && (problem.number("m") == 0.0 || problem.number("n") == 0.0);
}

bool has_one_term(const Case& problem) { return is_product(problem) && problem.number("k") == 1.0; }

}  // namespace warpcheck::campaign
