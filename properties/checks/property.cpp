#include "properties/checks/property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/closest_word.hpp"
#include "properties/case/domain.hpp"
#include "properties/case/errors.hpp"
#include "properties/case/layout.hpp"
#include "properties/case/normalized.hpp"
#include "properties/checks/adapted_cases.hpp"
#include "properties/checks/check_model.hpp"
#include "properties/checks/property_checks.hpp"

namespace warpcheck::properties::checks {
namespace {

using contract::Contract;

bool always(const Contract&) { return true; }

bool has_valid_layout(const Contract& contract, const Case& problem) {
  return can_be_laid_out(contract, problem, run::kBufferLimitBytes);
}

template <Law law>
bool has(const Contract& contract) {
  return model_of<CheckModel>(contract).has(law, contract);
}

bool deterministic(const Contract& contract) { return contract.deterministic; }

Case as_it_is(const Contract&, const Case& problem) { return problem; }

Case overwriting(const Contract& contract, const Case& problem) {
  return model_of<CheckModel>(contract).overwriting(repeatable(contract, problem));
}

Case padded(const Contract& contract, const Case& problem) {
  return with_padding(contract, repeatable(contract, problem));
}

/// Sums that are exact in every order: for relations that a right kernel may break by rounding when
/// it adds in another order elsewhere in the matrix or at other addresses.
Case exact(const Contract&, const Case& problem) {
  Case changed = problem;
  changed.data = Recipe::lattice;
  return changed;
}

constexpr std::array<Property, 16> kProperties = {{
    {"matches-reference", "D is alpha A B + beta C, within the bound that rounding allows", always,
     as_it_is, check::matches_reference,
     "each output is what the operation defines, within the bound that rounding allows"},
    {"writes-every-element",
     "D does not depend on what it held before, so every element is written", always, overwriting,
     check::writes_every_element,
     "no output depends on what it held before, so every element is written"},
    {"writes-only-its-matrix", "no byte between the lines of C or around it is written",
     has<Law::pads_outputs>, padded, check::writes_only_its_matrix,
     "no byte between the rows of an output or around it is written"},
    {"reads-only-its-operands", "D does not depend on the bytes between the lines of A, B and C",
     has<Law::pads_operands>, padded, check::reads_only_its_operands,
     "no output depends on the bytes between the rows of a tensor"},
    {"leaves-inputs-alone", "A and B hold the same bytes afterwards", always, as_it_is,
     check::leaves_inputs_alone, "the inputs hold the same bytes afterwards"},
    {"beta-zero-ignores-c", "with beta = 0, NaN in C stays out of D", has<Law::ignores_c>,
     without_beta, check::beta_zero_ignores_c},
    {"alpha-zero-ignores-a-and-b", "with alpha = 0, NaN in A and B stays out of D",
     has<Law::ignores_a_and_b>, without_alpha, check::alpha_zero_ignores_a_and_b},
    {"k-zero-scales-c", "with k = 0, D is beta C", has<Law::is_product>, without_k,
     check::matches_reference},
    {"power-of-two-scaling-is-exact",
     "scaling rows of A, columns of B and the inner dimension by powers of two scales D exactly",
     has<Law::scales_exactly>, scalable, check::power_of_two_scaling},
    {"permuting-rows-permutes-rows", "permuting the rows of A and C permutes the rows of D",
     has<Law::is_product>, exact, check::permuting_rows},
    {"one-hot-picks-the-named-element", "one-hot operands pick the element that they name",
     has<Law::is_product>, one_hot, check::matches_reference},
    {"one-product-is-rounded-once",
     "where all products of an element but one are zero, D is that one, rounded to nearest",
     has<Law::rounds_products_once>, one_product, check::one_product},
    {"two-products-are-added-once",
     "where all products of an element but two are zero, and these exact, D is their sum, rounded "
     "to nearest",
     has<Law::rounds_sums_once>, two_products, check::two_products},
    {"same-bits-twice",
     "the same problem gives the same bits, however blocks and warps are scheduled", deterministic,
     as_it_is, check::same_bits_twice},
    {"wider-layout-same-bits", "a wider leading dimension and a shifted base give the same bits",
     has<Law::is_product>, exact, check::wider_and_shifted},
    {"second-call-other-pointers",
     "a second call with other buffers and other data is right as well, whatever the first left "
     "behind",
     always, as_it_is, check::second_call},
}};

}  // namespace

Case repeatable(const Contract& contract, const Case& problem) {
  Case changed = problem;
  if (!contract.deterministic) changed.data = Recipe::lattice;
  return changed;
}

std::span<const Property> properties() { return kProperties; }

const Property& property(std::string_view name) {
  if (name.empty()) return kProperties.front();
  const auto found = std::find_if(kProperties.begin(), kProperties.end(),
                                  [&](const Property& entry) { return entry.name == name; });
  if (found != kProperties.end()) return *found;
  std::array<std::string_view, kProperties.size()> names;
  std::transform(kProperties.begin(), kProperties.end(), names.begin(),
                 [](const Property& entry) { return entry.name; });
  throw request_error(unknown("property", name, names));
}

Case adapted(const Property& property, const Contract& contract, const Case& problem) {
  Case changed = property.adapted(contract, problem);
  changed.property = property.name;
  return normalized(contract, changed);
}

std::optional<Case> adapted_to_domain(const Property& property, const Contract& contract,
                                      const Case& problem) {
  if (!property.applies(contract)) return std::nullopt;
  Case changed = adapted(property, contract, problem);
  if (violated(contract, changed)) return std::nullopt;
  // A case that is invalid as it stands is an error of its author, which its run reports.
  if (!has_valid_layout(contract, changed) && has_valid_layout(contract, problem)) {
    return std::nullopt;
  }
  return changed;
}

PropertyResult run_property(const Property& property, run::Runner& runner, const Case& problem) {
  // The layout is checked before any data is generated or allocated.
  const Layouts layouts = lay_out(runner.variant().contract, problem, run::kBufferLimitBytes);
  if (layouts.any_packed() && !runner.device().is_sparse()) {
    throw case_error(problem, "",
                     fmt::format("lines lie so far apart that a matrix takes more than {} bytes: "
                                 "the {} device does not hold it",
                                 run::kBufferLimitBytes, runner.device().name()));
  }
  PropertyResult result;
  try {
    result = property.check(runner, problem);
  } catch (const run::UnsupportedRun&) {
    result.launched = true;
  }
  result.unsupported = runner.unsupported();
  result.notes = runner.notes();
  return result;
}

}  // namespace warpcheck::properties::checks
