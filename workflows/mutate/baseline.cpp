#include "workflows/mutate/baseline.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "base/paths.hpp"

namespace warpcheck::workflows::mutate {
namespace {

std::string unsupported_text(const contract::Variant& variant,
                             const campaign::UnsupportedForm& form) {
  const SourcePlace& source = form.what.source;
  return fmt::format("{}:{}: {} cannot be mutated: unsupported on the virtual device: {}: {}",
                     source.line == 0 ? variant.compiled->ptx_file : shown_path(source.file),
                     source.line == 0 ? source.ptx_line : source.line, variant.contract.name,
                     form.what.form, form.what.reason);
}

}  // namespace

std::vector<CaseRecord> record_cases(const contract::Variant& variant, device::Device& device,
                                     const device::Program& program,
                                     const campaign::PropertyRotation& rotation, std::int64_t cases,
                                     std::uint64_t seed, unsigned jobs,
                                     campaign::run::ReferenceCache& references) {
  const campaign::generate::CaseGenerator generator(variant, {seed, device.is_sparse()});
  std::vector<CaseRecord> records(static_cast<std::size_t>(cases));
  parallel_for(records.size(), jobs, [&](std::size_t i) {
    const auto number = static_cast<std::int64_t>(i);
    CaseRecord& record = records[i];
    record.generated = generator.draw(number);
    RecordingDevice recorder(device, variant);
    campaign::run::Context context{variant, recorder, program};
    context.references = &references;
    const campaign::CaseResult result =
        campaign::run_case(context, rotation.laws(number), record.generated);
    if (!result.failures.empty()) {
      const campaign::Failure& failure = result.failures.front();
      throw InputError(
          Diagnostic{variant.contract.where,
                     fmt::format("{} itself fails, so its mutants cannot be judged: {} on {}",
                                 variant.contract.name, name(failure.evidence.finding.kind),
                                 campaign::to_line(failure.problem)),
                     {}});
    }
    if (result.unsupported) {
      throw EnvironmentError(unsupported_text(variant, *result.unsupported));
    }
    record.jobs = std::move(recorder.jobs);
    record.reached = std::move(recorder.reached);
    record.forms = std::move(recorder.forms);
  });
  return records;
}

}  // namespace warpcheck::workflows::mutate
