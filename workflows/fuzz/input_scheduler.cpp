#include "workflows/fuzz/input_scheduler.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace warpcheck::workflows::fuzz {
namespace {

constexpr std::int64_t kFreshFirst = 64;  // cases that are drawn before any is changed ...
constexpr std::uint64_t kFreshAmong = 4;  // ... and then one of so many
constexpr int kTries = 8;                 // for a changed case inside the domain

/// Of all kernels of the variant.
std::vector<std::int64_t> literals(const contract::Variant& variant) {
  std::set<std::int64_t> all;
  for (const contract::Entry& entry : variant.entries) {
    for (const std::int64_t one : literals_of(variant.compiled->ptx, entry.name)) all.insert(one);
  }
  return {all.begin(), all.end()};
}

/// Of those that may be asked.
std::vector<std::string> names_of_properties(const FuzzOptions& options,
                                             const contract::Contract& contract) {
  std::vector<std::string> names;
  for (const properties::checks::Property& entry : properties::checks::properties()) {
    const auto& chosen = options.properties;
    const bool wanted =
        chosen.empty() || std::find(chosen.begin(), chosen.end(), entry.name) != chosen.end();
    if (wanted && entry.applies(contract)) names.emplace_back(entry.name);
  }
  return names;
}

}  // namespace

std::optional<Question> question_of(const properties::campaign::RunContext& bench,
                                    const properties::Case& problem) {
  const properties::checks::Property& asked = properties::checks::property(problem.property);
  auto line = properties::checks::adapted_to_domain(asked, bench.variant.contract, problem);
  if (!line || !properties::campaign::can_be_laid_out(bench, *line)) return std::nullopt;
  return Question{std::move(*line), &asked};
}

InputScheduler::InputScheduler(const properties::campaign::RunContext& bench,
                               const FuzzOptions& options, std::int64_t drawn, std::int64_t asked)
    : bench_(bench),
      options_(options),
      drawn_(drawn),
      random_(options.seed ^ static_cast<std::uint64_t>(asked) << 20),
      agenda_(options.properties, bench.variant.contract),
      generator_(bench.variant.contract, options.seed, bench.device.is_sparse()),
      mutator_(bench.variant.contract, literals(bench.variant),
               names_of_properties(options, bench.variant.contract)) {}

std::vector<Question> InputScheduler::next(const Corpus& corpus, std::size_t count) {
  std::vector<Question> questions;
  while (questions.size() < count) {
    const bool learned = options_.guided && !corpus.empty() && drawn_ >= kFreshFirst;
    if (learned && !random_.one_in(kFreshAmong)) {
      if (auto question = changed(corpus)) {
        questions.push_back(std::move(*question));
        continue;
      }
    }
    add_fresh(questions);
  }
  return questions;
}

/// What `check` asks of the next case that it draws.
void InputScheduler::add_fresh(std::vector<Question>& questions) {
  const std::int64_t index = drawn_++;
  const properties::generate::GeneratedCase drawn = generator_.draw(index);
  const auto add = [&](const properties::checks::Property& property) {
    auto problem =
        properties::checks::adapted_to_domain(property, bench_.variant.contract, drawn.problem);
    if (problem) questions.push_back({std::move(*problem), &property});
    return problem.has_value();
  };
  if (agenda_.base() != nullptr) add(*agenda_.base());
  for (const properties::checks::Property* other : agenda_.others(index)) {
    if (add(*other)) break;
  }
}

std::optional<Question> InputScheduler::changed(const Corpus& corpus) {
  // The next step may be near one that led to something new.
  while (!neighbours_.empty() && random_.one_in(2)) {
    const properties::Case next = std::move(neighbours_.back());
    neighbours_.pop_back();
    if (auto question = question_of(bench_, next)) return question;
  }
  for (int i = 0; i < kTries; ++i) {
    const properties::Case& parent = corpus.choose(random_);
    const auto changed = mutator_.mutated(parent, corpus.choose(random_), random_);
    if (!changed) continue;
    auto question = question_of(bench_, *changed);
    if (question && question->problem != parent) return question;
  }
  return std::nullopt;
}

void InputScheduler::look_near(const properties::Case& problem) {
  std::vector<properties::Case> more = mutator_.neighbours(problem);
  neighbours_.insert(neighbours_.end(), more.begin(), more.end());
}

}  // namespace warpcheck::workflows::fuzz
