#include "workflows/mutate/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include "base/diagnostic.hpp"

namespace warpcheck::workflows::mutate {

void for_all(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> errors(count);
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < std::min<std::size_t>(jobs, count); ++i) helpers.emplace_back(run);
    run();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

std::vector<CaseRecord> record_cases(const contract::Variant& variant, device::Device& device,
                                     const device::Program& program,
                                     const properties::campaign::PropertyRotation& rotation,
                                     std::int64_t cases, std::uint64_t seed, unsigned jobs) {
  const properties::generate::CaseGenerator generator(variant.contract, seed, device.is_sparse());
  std::vector<CaseRecord> records(static_cast<std::size_t>(cases));
  for_all(records.size(), jobs, [&](std::size_t i) {
    const auto number = static_cast<std::int64_t>(i);
    CaseRecord& record = records[i];
    record.generated = generator.draw(number);
    RecordingDevice recorder(device, variant);
    const properties::campaign::RunContext context{variant, recorder, program, {}};
    const properties::campaign::CaseResult result =
        properties::campaign::run_case(context, rotation, record.generated, number);
    if (!result.failures.empty()) {
      const properties::campaign::Failure& failure = result.failures.front();
      throw InputError(
          Diagnostic{variant.contract.where,
                     fmt::format("{} itself fails, so its mutants cannot be judged: {} on {}",
                                 variant.contract.name, name(failure.evidence.finding.kind),
                                 properties::to_line(failure.problem)),
                     {}});
    }
    record.jobs = std::move(recorder.jobs);
    record.reached = std::move(recorder.reached);
    record.forms = std::move(recorder.forms);
  });
  return records;
}

}  // namespace warpcheck::workflows::mutate
