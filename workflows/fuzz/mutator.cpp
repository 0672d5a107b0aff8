#include "workflows/fuzz/mutator.hpp"

#include <array>
#include <utility>

#include "ptx/scan.hpp"
#include "workflows/fuzz/fuzz_model.hpp"

namespace warpcheck::workflows::fuzz {

std::vector<std::int64_t> literals_of(std::string_view text, std::string_view kernel) {
  constexpr std::array<std::string_view, 5> kInstructions = {"setp.", "mul.lo.", "rem.", "div.",
                                                             "and.b"};
  constexpr std::int64_t kLargestLiteral = 4096;
  std::vector<std::int64_t> literals;
  for (const std::int64_t number : ptx::integer_operands(text, kernel, kInstructions)) {
    if (number >= 2 && number <= kLargestLiteral) literals.push_back(number);
  }
  return literals;
}

std::unique_ptr<Mutator> make_mutator(const contract::Contract& contract,
                                      std::vector<std::int64_t> literals,
                                      std::vector<std::string> properties,
                                      const campaign::generate::SizeLimits& sizes) {
  const auto& model = campaign::model_of<FuzzModel>(contract);
  return model.mutator(contract, std::move(literals), std::move(properties), sizes);
}

}  // namespace warpcheck::workflows::fuzz
