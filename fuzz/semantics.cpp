// Runs one instruction form of the golden list on the virtual device, with different operands in
// each lane, and compares the results with exact arithmetic.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "device/virtual/virtual_device.hpp"
#include "fuzz/bytes.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/target.hpp"
#include "report/finding/message.hpp"
#include "tests/golden/forms/inputs.hpp"
#include "tests/golden/forms/kernel.hpp"

namespace {

using namespace warpcheck;
using golden::kSlotBytes;

constexpr std::size_t kLanes = 32;

struct Candidate {
  golden::Form form;
  fuzz::Oracle oracle;
  std::shared_ptr<const device::Program> program;  // loaded at its first use
};

std::vector<Candidate> candidates() {
  std::vector<Candidate> known;
  for (golden::Form& form : golden::all_forms()) {
    if (fuzz::Oracle oracle = fuzz::oracle(form)) {
      known.push_back({std::move(form), std::move(oracle), nullptr});
    }
  }
  return known;
}

std::uint64_t low(std::uint64_t bits, std::size_t width) {
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

/// Generates the operands of a lane from the input's bytes: as in the recordings, or those of the
/// previous lane with one bit flipped.
std::vector<std::uint64_t> operands(const golden::Form& form, fuzz::Bytes& bytes,
                                    const std::vector<std::uint64_t>& before) {
  const std::uint8_t how = bytes.byte();
  if (how < 64 || bytes.empty()) {
    return golden::inputs(form, bytes.empty() ? how : bytes.bits(2));
  }
  std::vector<std::uint64_t> values = before;
  if (how < 128 && !before.empty()) {
    const std::size_t which = bytes.below(values.size());
    values[which] ^= std::uint64_t{1} << bytes.below(golden::facts(form.inputs[which]).bits);
    return values;
  }
  values.clear();
  for (const golden::Type type : form.inputs) {
    const std::size_t width = golden::facts(type).bits;
    values.push_back(low(bytes.bits(static_cast<unsigned>(width / 8)), width));
  }
  return values;
}

device::Buffer buffer(const char* name, std::size_t slots, bool initialized) {
  device::Buffer result;
  result.name = name;
  result.extent = {1, slots * kSlotBytes, slots * kSlotBytes};
  result.element_bytes = kSlotBytes;
  result.initialized = initialized;
  result.bytes.resize(slots * kSlotBytes);
  return result;
}

using LaneOperands = std::vector<std::vector<std::uint64_t>>;

std::vector<std::byte> run(Candidate& candidate, const LaneOperands& lanes) {
  static const std::unique_ptr<device::Device> device = device::make_virtual_device();
  const std::size_t count = candidate.form.inputs.size();
  if (!candidate.program) {
    candidate.program = device->load(golden::module_of(candidate.form), "form.ptx");
  }
  device::Job job;
  job.buffers = {buffer("in", kLanes * count, true), buffer("out", kLanes, true)};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(job.buffers[0].bytes.data() + (lane * count + i) * kSlotBytes, &lanes[lane][i],
                  kSlotBytes);
    }
  }
  device::Launch launch;
  launch.entry = "f";
  launch.block = {kLanes, 1, 1};
  launch.arguments = {device::BufferAddress{0, 0}, device::BufferAddress{1, 0}};
  job.launches = {launch};
  device::Outcome outcome = device->run(*candidate.program, job);
  for (const Finding& finding : outcome.findings) {
    fuzz::fail(fmt::format("{}: {}: {}", candidate.form.name, name(finding.kind),
                           report::message_text(finding)));
  }
  if (outcome.unsupported) {
    fuzz::fail(fmt::format("{}: unsupported: {}", candidate.form.name, outcome.unsupported->form));
  }
  return std::move(outcome.buffers[1]);
}

void compare(const Candidate& candidate, const LaneOperands& lanes,
             const std::vector<std::byte>& out) {
  const std::size_t bytes = golden::stored_bytes(candidate.form.outputs.front());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto expected = candidate.oracle(lanes[lane]);
    if (!expected) continue;
    std::uint64_t got = 0;
    std::memcpy(&got, out.data() + lane * kSlotBytes, bytes);
    if (got == *expected) continue;
    std::string text;
    for (const std::uint64_t operand : lanes[lane]) text += fmt::format(" {:#x}", operand);
    fuzz::fail(
        fmt::format("{} of{} is {:#x}, expected {:#x}", candidate.form.name, text, got, *expected));
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::vector<Candidate> known = candidates();
  fuzz::Bytes bytes(data, size);
  Candidate& candidate = known[bytes.below(known.size())];
  LaneOperands lanes;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    lanes.push_back(operands(candidate.form, bytes,
                             lanes.empty() ? std::vector<std::uint64_t>{} : lanes.back()));
  }
  compare(candidate, lanes, run(candidate, lanes));
  return 0;
}
