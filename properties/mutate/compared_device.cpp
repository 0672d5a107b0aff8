#include "properties/mutate/compared_device.hpp"

#include <algorithm>

#include "device/virtual/machine/progress.hpp"

namespace warpcheck::properties {
namespace {

/// A right kernel's instructions, times this and more, are no longer a detour.
constexpr std::uint64_t kPatience = 10;
constexpr std::uint64_t kShortest = 10'000;  // instructions

std::uint64_t contents_of(const device::Outcome& outcome) {
  machine::Fingerprint contents;
  for (const std::vector<std::byte>& buffer : outcome.buffers) {
    contents.add(buffer.data(), buffer.size());
  }
  contents.add(outcome.printed.data(), outcome.printed.size());
  return contents.value();
}

}  // namespace

device::Outcome RecordingDevice::run(const device::Program& program, const device::Job& job) {
  device::Job asked = job;
  asked.count = true;
  asked.digest = true;
  device::Outcome outcome = device().run(program, asked);
  for (const device::Launch& launch : job.launches) {
    shapes[launch.entry].insert({launch.block.x, launch.block.y, launch.block.z});
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
  const JobRecord* const right = next_ < right_.size() ? &right_[next_] : nullptr;
  ++next_;
  same_ = same_ && right != nullptr;
  device::Job asked = job;
  asked.digest = same_;
  if (right != nullptr) asked.instruction_budget = kPatience * right->warp_instructions + kShortest;
  device::Outcome outcome = device().run(program, asked);
  same_ = same_ && outcome.access_digest && outcome.access_digest == right->digest &&
          contents_of(outcome) == right->contents;
  return outcome;
}

}  // namespace warpcheck::properties
