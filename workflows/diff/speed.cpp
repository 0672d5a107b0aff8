#include "workflows/diff/speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/generate/measured_case.hpp"
#include "campaign/programs.hpp"
#include "campaign/run/problem.hpp"
#include "workflows/diff/domain_intersection.hpp"

namespace warpcheck::workflows::diff {
namespace {

using campaign::generate::measured_case;
using campaign::generate::measured_text;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double seconds_of(device::Device& device, const device::Program& program,
                  const campaign::run::Problem& problem,
                  const campaign::FindingSentence& sentence) {
  device::Job job = problem.job;
  job.timed = true;
  const device::Outcome outcome = device.run(program, job);
  if (outcome.findings.empty() && !outcome.unsupported) return outcome.seconds;
  if (outcome.findings.empty()) {
    throw EnvironmentError(fmt::format("{} cannot be timed: unsupported on the {} device: {}",
                                       campaign::to_line(problem.line), device.name(),
                                       outcome.unsupported->form));
  }
  throw request_error(fmt::format("{} cannot be timed: {}: {}", campaign::to_line(problem.line),
                                  name(outcome.findings.front().kind),
                                  sentence(outcome.findings.front())));
}

}  // namespace

Speed measure_speed(const contract::Variant& before, const contract::Variant& after,
                    device::Device& device, const std::vector<campaign::NamedValue>& sizes,
                    unsigned runs, const campaign::FindingSentence& sentence) {
  const DomainIntersection joint(before.contract, after.contract);
  auto nearest = measured_case(joint.contract(), sizes, {0x1p29, 0x1p26});
  if (nearest) nearest->data = campaign::Recipe::normal;
  if (!nearest || !joint.contains(*nearest)) {
    throw request_error(
        fmt::format("found no case {} in both domains", measured_text(joint.contract(), sizes)));
  }
  const auto problem_of = [&](const contract::Variant& variant) {
    const campaign::Case line = normalized_for(variant.contract, *nearest);
    return campaign::run::make_problem(variant, line, joint.operands(*nearest),
                                       campaign::run::usual_poison(line));
  };
  const campaign::run::Problem one = problem_of(before);
  const campaign::run::Problem other = problem_of(after);
  campaign::Programs programs(device);
  std::vector<double> one_seconds;
  std::vector<double> other_seconds;
  for (unsigned i = 0; i <= runs; ++i) {
    const double first = seconds_of(device, programs.of(before), one, sentence);
    const double second = seconds_of(device, programs.of(after), other, sentence);
    if (i == 0) continue;
    one_seconds.push_back(first);
    other_seconds.push_back(second);
  }
  return {one.line, runs, median(std::move(one_seconds)), median(std::move(other_seconds))};
}

}  // namespace warpcheck::workflows::diff
