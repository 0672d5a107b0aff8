#include "tests/workflows/init/edits.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "campaign/case/domain.hpp"

namespace warpcheck::workflows::init {
namespace {

using campaign::Case;
using contract::Contract;
using contract::Expression;
using contract::LaunchStep;

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// Cases in the domain, as far as random ones hit it; any cases if none does.
std::vector<Case> sample(const Contract& contract) {
  std::mt19937_64 random(1);
  std::vector<Case> inside;
  std::vector<Case> all;
  for (int i = 0; i < 4000 && inside.size() < 50; ++i) {
    const std::int64_t unit = i % 2 == 0 ? 64 : 1;
    const auto extent = [&] { return unit * static_cast<std::int64_t>(1 + random() % 40); };
    Case problem;
    problem.set_value("m", extent());
    problem.set_value("n", i % 3 == 0 ? problem.whole("m") : extent());
    problem.set_value("k", i % 6 == 0 ? problem.whole("m") : extent());
    problem.set_value("batch", 1 + static_cast<std::int64_t>(random() % 4));
    problem.set_value("beta", i % 4 < 2 ? 0.0 : 1.0);
    if (!campaign::violated(contract, problem)) inside.push_back(problem);
    all.push_back(problem);
  }
  return inside.empty() ? all : inside;
}

bool same_values(const Contract& guessed, const Contract& written, const Expression& x,
                 const Expression& y) {
  const std::vector<Case> cases = sample(written);
  return std::all_of(cases.begin(), cases.end(), [&](const Case& problem) {
    return x.evaluate(campaign::bindings(guessed, problem)) ==
           y.evaluate(campaign::bindings(written, problem));
  });
}

template <std::size_t N>
bool same_extents(const Contract& guessed, const Contract& written,
                  const std::array<Expression, N>& x, const std::array<Expression, N>& y) {
  for (std::size_t i = 0; i < N; ++i) {
    if (!same_values(guessed, written, x[i], y[i])) return false;
  }
  return true;
}

std::set<std::string> conditions(const Contract& contract) {
  std::set<std::string> texts;
  for (const Expression& condition : contract.requires_) {
    for (const Expression& part : condition.conjuncts()) texts.insert(without_blanks(part.text()));
  }
  return texts;
}

std::vector<std::string> words(const LaunchStep& step) {
  std::vector<std::string> texts;
  for (const contract::Argument& argument : step.arguments) texts.push_back(argument.text);
  return texts;
}

std::vector<std::string> workspaces(const Contract& contract) {
  std::vector<std::string> texts;
  for (const contract::Workspace& workspace : contract.workspaces) {
    texts.push_back(workspace.name + (workspace.zeroed ? " zeroed " : " ") +
                    (workspace.bytes ? workspace.bytes->text() : std::string()));
  }
  return texts;
}

std::string architecture(const Contract& contract) {
  return contract.architecture.empty() ? "sm_80" : contract.architecture;
}

}  // namespace

std::vector<std::string> edits(const Contract& guessed, const Contract& written) {
  std::vector<std::string> keys;
  const auto compare = [&](const char* key, bool same) {
    if (!same) keys.emplace_back(key);
  };
  if (guessed.launches.size() != written.launches.size()) {
    keys.assign(5 * written.launches.size(), "launch");
    return keys;
  }
  const LaunchStep& x = guessed.launches.front();
  const LaunchStep& y = written.launches.front();
  compare("kernel", without_blanks(x.kernel) == without_blanks(y.kernel));
  compare("layout", guessed.layout_a == written.layout_a && guessed.layout_b == written.layout_b &&
                        guessed.layout_c == written.layout_c);
  compare("types", guessed.type_a == written.type_a && guessed.type_b == written.type_b &&
                       guessed.type_c == written.type_c &&
                       guessed.accumulate == written.accumulate);
  compare("arguments", words(x) == words(y));
  compare("block", same_extents(guessed, written, x.block, y.block));
  compare("grid", same_extents(guessed, written, x.grid, y.grid));
  compare("shared", same_values(guessed, written, x.shared, y.shared));
  compare("requires", conditions(guessed) == conditions(written));
  compare("tensor_cores", guessed.tensor_cores == written.tensor_cores);
  compare("split_k", guessed.split_k == written.split_k);
  compare("deterministic", guessed.deterministic == written.deterministic);
  compare("workspace", workspaces(guessed) == workspaces(written));
  compare("architecture", architecture(guessed) == architecture(written));
  return keys;
}

}  // namespace warpcheck::workflows::init
