#include "tests/device/virtual/isa/kernel.hpp"

#include <fmt/format.h>

#include "device/virtual/virtual_device.hpp"
#include "report/finding/message.hpp"

namespace warpcheck::isa::test {

std::string Result::finding() const {
  if (outcome.findings.empty() && outcome.unsupported) {
    const device::Unsupported& lacking = *outcome.unsupported;
    return fmt::format("unsupported {}: {} (PTX ISA {})", lacking.form, lacking.reason,
                       lacking.section);
  }
  if (outcome.findings.empty()) return {};
  const Finding& first = outcome.findings.front();
  return fmt::format("{}: {}", name(first.kind), report::message_text(first));
}

std::string module_text(std::string_view functions) {
  return fmt::format(".version 9.0\n.target sm_90\n.address_size 64\n{}", functions);
}

std::string entry(std::string_view body, std::string_view declarations) {
  return module_text(fmt::format(
      "{}\n.visible .entry f(.param .u64 in_parameter, .param .u64 out_parameter)\n{{\n"
      "  .reg .b32 %r<32>;\n  .reg .b64 %d<32>;\n  .reg .b16 %h<16>;\n  .reg .f32 %f<16>;\n"
      "  .reg .f64 %e<16>;\n  .reg .pred %p<16>;\n  .reg .b64 %in, %out, %own;\n"
      "  .reg .b32 %me;\n"
      "  ld.param.u64 %in, [in_parameter];\n  ld.param.u64 %out, [out_parameter];\n"
      "  mov.u32 %me, %tid.x;\n  mad.wide.u32 %own, %me, 8, %out;\n"
      "{}\n  ret;\n}}\n",
      declarations, body));
}

Result run_module(const std::string& ptx, const std::vector<std::byte>& in, std::size_t out_bytes,
                  const Conditions& conditions) {
  const auto device = device::make_virtual_device({.host_threads = conditions.host_threads,
                                                   .weak_volatile = conditions.weak_volatile,
                                                   .mma_arch = conditions.mma_arch,
                                                   .limits = conditions.limits});
  const auto program = device->load(ptx, "test.ptx");
  device::Job job;
  device::Buffer input;
  input.name = "in";
  input.extent = {1, in.size(), in.size()};
  input.access = conditions.in_access;
  input.initialized = conditions.in_initialized;
  input.bytes = in;
  device::Buffer output;
  output.name = "out";
  output.extent = {1, out_bytes, out_bytes};
  output.bytes.resize(out_bytes);
  job.buffers = {input, output};
  device::Launch launch;
  launch.entry = "f";
  launch.grid = conditions.grid;
  launch.block = conditions.block;
  launch.shared_bytes = conditions.shared_bytes;
  launch.arguments = {device::BufferAddress{0, 0}, device::BufferAddress{1, 0}};
  job.launches = {launch};
  job.instruction_budget = conditions.budget;
  job.schedule_seed = conditions.seed;
  job.count = conditions.count;
  job.cover = conditions.cover;
  job.digest = conditions.digest;
  job.track_origins = conditions.track_origins;
  job.limits_only = conditions.limits_only;
  job.stop = conditions.stop;
  Result result;
  result.program = program;
  result.outcome = device->run(*program, job);
  result.out = result.outcome.buffers.at(1);
  return result;
}

Result run(std::string_view body, const std::vector<std::uint32_t>& in,
           const Conditions& conditions, std::string_view declarations) {
  const std::size_t threads = std::size_t{conditions.block.x} * conditions.block.y *
                              conditions.block.z * conditions.grid.x * conditions.grid.y *
                              conditions.grid.z;
  return run_module(entry(body, declarations), bytes_of(in), 8 * threads, conditions);
}

}  // namespace warpcheck::isa::test
