#include "bench/recorded_gpu.hpp"

#include <fmt/format.h>

#include <fstream>
#include <span>
#include <variant>
#include <vector>

#include "base/fingerprint.hpp"
#include "device/cuda/image.hpp"

namespace warpcheck::bench {
namespace {

void add(Fingerprint& fingerprint, const Dim3& extents) {
  for (const unsigned extent : {extents.x, extents.y, extents.z}) fingerprint.add(extent);
}

}  // namespace

std::uint64_t fingerprint_of(const device::Job& job) {
  Fingerprint fingerprint;
  for (const device::Buffer& buffer : job.buffers) {
    fingerprint.add(buffer.bytes.data(), buffer.bytes.size());
    for (const std::size_t value : {buffer.shift_bytes, buffer.extent.row_bytes,
                                    buffer.extent.pitch_bytes, std::size_t{buffer.initialized}}) {
      fingerprint.add(value);
    }
  }
  for (const device::Launch& launch : job.launches) {
    add(fingerprint, launch.grid);
    add(fingerprint, launch.block);
    for (const device::Argument& argument : launch.arguments) {
      const auto* scalar = std::get_if<device::Scalar>(&argument);
      if (scalar != nullptr) fingerprint.add(scalar->bytes.data(), scalar->bytes.size());
    }
  }
  fingerprint.add(job.schedule_seed);
  return fingerprint.value();
}

device::Outcome RecordedGpu::run(const device::Program& program, const device::Job& job) {
  const std::filesystem::path file = folder_ / fmt::format("{:016x}", fingerprint_of(job));
  if (!std::filesystem::exists(file)) record(program, job, file);
  thread_local std::vector<std::byte> memory;
  const device::cuda::Layout layout = device::cuda::place(job.buffers);
  if (memory.size() < layout.bytes) memory.resize(layout.bytes);
  const std::span image = std::span(memory).first(layout.bytes);
  device::cuda::fill(image, layout, job.buffers);
  std::ifstream in(file, std::ios::binary);
  for (std::size_t i = 0; i < job.buffers.size(); ++i) {
    if (job.buffers[i].access == device::Access::read_only) continue;
    const device::cuda::Placement& at = layout.buffers[i];
    in.read(reinterpret_cast<char*>(image.data() + at.begin),
            static_cast<std::streamsize>(at.end - at.begin));
  }
  device::Outcome outcome;
  outcome.findings = device::cuda::verify(image, layout, job.buffers);
  outcome.buffers = device::cuda::contents(image, layout);
  return outcome;
}

void RecordedGpu::record(const device::Program& program, const device::Job& job,
                         const std::filesystem::path& file) {
  const device::Outcome outcome = inner().run(program, job);
  std::ofstream out(file, std::ios::binary);
  for (std::size_t i = 0; i < job.buffers.size(); ++i) {
    if (job.buffers[i].access == device::Access::read_only) continue;
    out.write(reinterpret_cast<const char*>(outcome.buffers[i].data()),
              static_cast<std::streamsize>(outcome.buffers[i].size()));
  }
}

}  // namespace warpcheck::bench
