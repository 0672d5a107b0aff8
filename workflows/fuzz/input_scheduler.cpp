#include "workflows/fuzz/input_scheduler.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace warpcheck::workflows::fuzz {
namespace {

constexpr std::int64_t kFreshFirst = 64;  // cases generated before the first mutation
constexpr std::uint64_t kFreshAmong = 4;  // later, one of so many inputs is generated
constexpr int kTries = 8;                 // attempts to mutate a case within the domain

/// Returns the names of the properties that may be checked.
std::vector<std::string> names_of_properties(const FuzzOptions& options,
                                             const contract::Contract& contract) {
  std::vector<std::string> names;
  for (const properties::Law& entry : properties::laws()) {
    const auto& chosen = options.properties;
    const bool wanted =
        chosen.empty() || std::find(chosen.begin(), chosen.end(), entry.name) != chosen.end();
    if (wanted && entry.applies(contract)) names.emplace_back(entry.name);
  }
  return names;
}

}  // namespace

std::optional<PropertyCase> property_case_of(const campaign::run::Context& context,
                                             const campaign::Case& problem) {
  const properties::Law& property = properties::law(problem.property);
  auto line = properties::adapted_to_domain(property, context.variant.contract, problem);
  if (!line || !campaign::can_be_laid_out(context, *line)) return std::nullopt;
  return PropertyCase{std::move(*line), &property};
}

InputScheduler::InputScheduler(const campaign::run::Context& context, const FuzzOptions& options,
                               std::int64_t generated, std::int64_t cases)
    : context_(context),
      options_(options),
      generated_(generated),
      random_(options.seed ^ static_cast<std::uint64_t>(cases) << 20),
      rotation_(options.properties, context.variant.contract),
      generator_(context.variant, {options.seed, context.device.is_sparse(), 0, options.sizes}),
      mutator_(context.variant.contract, literals_of(context.variant),
               names_of_properties(options, context.variant.contract), options.sizes) {}

std::vector<PropertyCase> InputScheduler::next(const Corpus& corpus, std::size_t count) {
  std::vector<PropertyCase> inputs;
  while (inputs.size() < count) {
    const bool can_mutate = options_.guided && !corpus.empty() && generated_ >= kFreshFirst;
    if (can_mutate && !random_.one_in(kFreshAmong)) {
      if (auto input = changed(corpus)) {
        inputs.push_back(std::move(*input));
        continue;
      }
    }
    add_fresh(inputs);
  }
  return inputs;
}

/// Adds the next generated case with the properties that `check` would select for it.
void InputScheduler::add_fresh(std::vector<PropertyCase>& inputs) {
  const std::int64_t index = generated_++;
  const campaign::generate::GeneratedCase generated = generator_.draw(index);
  for (const properties::Law* property : rotation_.laws(index)) {
    auto problem =
        properties::adapted_to_domain(*property, context_.variant.contract, generated.problem);
    if (!problem) continue;
    inputs.push_back({std::move(*problem), property});
    if (property != rotation_.base()) break;
  }
}

std::optional<PropertyCase> InputScheduler::changed(const Corpus& corpus) {
  // Half of the time, try a neighbour of a case that reached new coverage.
  while (!neighbours_.empty() && random_.one_in(2)) {
    const campaign::Case next = std::move(neighbours_.back());
    neighbours_.pop_back();
    if (auto input = property_case_of(context_, next)) return input;
  }
  for (int i = 0; i < kTries; ++i) {
    const campaign::Case& parent = corpus.choose(random_);
    const auto changed = mutator_.mutated(parent, corpus.choose(random_), random_);
    if (!changed) continue;
    auto input = property_case_of(context_, *changed);
    if (input && input->problem != parent) return input;
  }
  return std::nullopt;
}

void InputScheduler::add_neighbours(const campaign::Case& problem) {
  std::vector<campaign::Case> more = mutator_.neighbours(problem);
  neighbours_.insert(neighbours_.end(), more.begin(), more.end());
}

}  // namespace warpcheck::workflows::fuzz
