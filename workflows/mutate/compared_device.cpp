#include "workflows/mutate/compared_device.hpp"

#include <algorithm>

#include "base/fingerprint.hpp"

namespace warpcheck::workflows::mutate {
namespace {

// Instruction budget of a mutant: kBudgetFactor times those of the baseline, plus kLeastBudget.
constexpr std::uint64_t kBudgetFactor = 10;
constexpr std::uint64_t kLeastBudget = 10'000;  // warp instructions

/// Returns a fingerprint of the buffers and of the printed text.
std::uint64_t contents_of(const device::Outcome& outcome) {
  Fingerprint contents;
  for (const std::vector<std::byte>& buffer : outcome.buffers) {
    contents.add(buffer.data(), buffer.size());
  }
  contents.add(outcome.printed.data(), outcome.printed.size());
  return contents.value();
}

ptx::analysis::Value bits_of(const device::Argument& argument) {
  const auto* const scalar = std::get_if<device::Scalar>(&argument);
  if (scalar == nullptr) return std::nullopt;
  std::uint64_t bits = 0;
  for (std::size_t i = scalar->size; i-- > 0;) {
    bits = bits << 8 | static_cast<std::uint64_t>(scalar->bytes[i]);
  }
  return bits;
}

/// Returns true if each launch of the entry has a literal at this place. A case may skip launches,
/// so that the number of a launch in a job does not identify the launch of the contract.
bool is_literal(const contract::Variant& variant, const std::string& entry, std::size_t index) {
  for (std::size_t i = 0; i < variant.entries.size(); ++i) {
    if (variant.entries[i].name != entry) continue;
    const contract::Argument& argument = variant.contract.launches[i].arguments[index];
    if (argument.word != contract::ArgumentWord::literal) return false;
  }
  return true;
}

ptx::analysis::LaunchForm form_of(const device::Launch& launch, const contract::Variant& variant) {
  ptx::analysis::LaunchForm form{{launch.block.x, launch.block.y, launch.block.z}, {}};
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const bool same = is_literal(variant, launch.entry, i);
    form.parameters.push_back(same ? bits_of(launch.arguments[i]) : std::nullopt);
  }
  return form;
}

}  // namespace

device::Outcome RecordingDevice::run(const device::Program& program, const device::Job& job) {
  device::Job counted = job;
  counted.count = true;
  counted.digest = true;
  device::Outcome outcome = inner().run(program, counted);
  for (const device::Launch& launch : job.launches) {
    forms[launch.entry].insert(form_of(launch, variant_));
  }
  jobs.push_back({outcome.access_digest, contents_of(outcome), outcome.warp_instructions});
  for (const device::InstructionCounts& counts : outcome.counts) {
    const std::size_t line = counts.source.ptx_line;
    reached.resize(std::max(reached.size(), line + 1));
    if (counts.warps != 0) reached[line] = true;
  }
  return outcome;
}

device::Outcome ComparingDevice::run(const device::Program& program, const device::Job& job) {
  const JobRecord* const expected = next_ < baseline_.size() ? &baseline_[next_] : nullptr;
  ++next_;
  same_ = same_ && expected != nullptr;
  device::Job limited = job;
  limited.digest = same_;
  if (expected != nullptr)
    limited.instruction_budget = kBudgetFactor * expected->warp_instructions + kLeastBudget;
  device::Outcome outcome = inner().run(program, limited);
  same_ = same_ && outcome.access_digest && outcome.access_digest == expected->digest &&
          contents_of(outcome) == expected->contents;
  return outcome;
}

}  // namespace warpcheck::workflows::mutate
