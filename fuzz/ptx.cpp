// Checks PTX text: it loads and its kernels launch, or it is rejected with an InputError. A second
// launch must give the same outcome.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.hpp"
#include "device/virtual/machine/core/program.hpp"
#include "device/virtual/virtual_device.hpp"
#include "fuzz/target.hpp"
#include "report/finding/message.hpp"

namespace {

using namespace warpcheck;

constexpr std::size_t kMostKernels = 4;
constexpr std::size_t kBufferBytes = 512;
constexpr std::uint64_t kBudget = 500;  // instructions of a warp
constexpr std::size_t kMostParameterBytes = 32764;

device::Buffer buffer(std::string name, device::Access access, bool initialized) {
  device::Buffer result;
  result.name = std::move(name);
  result.extent = {1, kBufferBytes, kBufferBytes};
  result.element_bytes = 4;
  result.access = access;
  result.initialized = initialized;
  for (std::size_t i = 0; i < kBufferBytes; ++i) {
    result.bytes.push_back(static_cast<std::byte>(initialized && i % 4 == 0 ? i / 4 : 0));
  }
  return result;
}

device::Scalar scalar(std::uint64_t value, std::size_t size) {
  device::Scalar result;
  result.size = size;
  for (std::size_t i = 0; i < size; ++i) {
    result.bytes[i] = static_cast<std::byte>(value >> (8 * i));
  }
  return result;
}

/// Builds a job of two blocks of two warps, the second warp partial. The first two 8-byte
/// parameters are the addresses of an input and an output; every other parameter is a small number.
/// A structure is passed as bytes. Empty if it has more bytes than a launch can pass (PTX
/// ISA 5.1.6).
std::optional<device::Job> job_of(const machine::FunctionCode& kernel) {
  device::Job job;
  job.buffers = {buffer("in", device::Access::read_only, true),
                 buffer("out", device::Access::read_write, false)};
  job.instruction_budget = kBudget;
  device::Launch launch;
  launch.entry = kernel.source->name;
  launch.grid = {2, 1, 1};
  launch.block = {40, 1, 1};
  launch.shared_bytes = 64;
  std::size_t addresses = 0;
  for (const machine::ParameterPlace& place : kernel.parameters) {
    if (place.bytes == 8 && addresses < job.buffers.size()) {
      launch.arguments.emplace_back(device::BufferAddress{addresses++, 0});
    } else if (place.bytes == 1 || place.bytes == 2 || place.bytes == 4 || place.bytes == 8) {
      launch.arguments.emplace_back(scalar(3 + launch.arguments.size(), place.bytes));
    } else if (place.bytes <= kMostParameterBytes) {
      launch.arguments.emplace_back(
          device::ByteArgument{std::vector<std::byte>(place.bytes, std::byte{3}), {}});
    } else {
      return std::nullopt;
    }
  }
  job.launches = {launch};
  return job;
}

std::string described(const Finding& finding) {
  return fmt::format("{}: {} at {}:{}", name(finding.kind), report::message_text(finding),
                     finding.source.file, finding.source.line);
}

/// Requires that the same job gives the same outcome.
void launch_twice(device::Device& device, const device::Program& program, const device::Job& job) {
  const device::Outcome one = device.run(program, job);
  const device::Outcome other = device.run(program, job);
  if (one.buffers != other.buffers || one.printed != other.printed ||
      one.warp_instructions != other.warp_instructions) {
    fuzz::fail("the same launch gives two outcomes");
  }
  if (one.findings.size() != other.findings.size())
    fuzz::fail("the same launch gives different numbers of findings");
  for (std::size_t i = 0; i < one.findings.size(); ++i) {
    if (described(one.findings[i]) == described(other.findings[i])) continue;
    fuzz::fail(fmt::format("the same launch: {}\nthen: {}", described(one.findings[i]),
                           described(other.findings[i])));
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<device::Device> device = device::make_virtual_device();
  std::shared_ptr<const device::Program> loaded;
  try {
    loaded = device->load(std::string(fuzz::text_of(data, size)), "input.ptx");
  } catch (const InputError& error) {
    if (error.diagnostics().empty()) fuzz::fail("an InputError has no error");
    return 0;
  }
  const auto& program = dynamic_cast<const machine::Program&>(*loaded);
  std::size_t kernels = 0;
  for (const machine::FunctionCode& code : program.functions) {
    if (!code.source->is_entry || code.source->is_declaration || kernels == kMostKernels) continue;
    const auto job = job_of(code);
    if (!job) continue;
    ++kernels;
    launch_twice(*device, program, *job);
  }
  return 0;
}
