// Runs a kernel in PTX text on the virtual device: the fixture of the instruction tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"

namespace warpcheck::isa::test {

/// The launch parameters and the inputs of a kernel.
struct Conditions {
  Dim3 grid{1, 1, 1};
  Dim3 block{32, 1, 1};
  std::size_t shared_bytes = 0;
  std::uint64_t budget = 0;
  std::uint64_t seed = 0;
  unsigned host_threads = 1;
  bool in_initialized = true;
  bool count = false;
  bool cover = false;
  bool digest = false;
  bool track_origins = false;
  bool limits_only = false;
  unsigned mma_arch = 0;
  bool weak_volatile = false;
  device::Limits limits = {};
  device::StopCondition stop = {};
  device::Access in_access = device::Access::read_only;
};

inline const Conditions kOneThread{.block = {1, 1, 1}};

struct Result {
  device::Outcome outcome;
  std::vector<std::byte> out;
  std::shared_ptr<const device::Program> program;

  [[nodiscard]] bool completed() const { return outcome.findings.empty() && !outcome.unsupported; }
  /// The first finding as "class: message", or "unsupported FORM: reason (PTX ISA SECTION)"; "" if
  /// the launch completed.
  [[nodiscard]] std::string finding() const;
  /// Element `index` of the output.
  template <class T>
  [[nodiscard]] T at(std::size_t index) const {
    T value;
    std::memcpy(&value, out.data() + index * sizeof(T), sizeof(T));
    return value;
  }
};

/// A module with `functions`, for tests that declare their own functions.
[[nodiscard]] std::string module_text(std::string_view functions);

/// An entry "f" with pointers %in and %out (.b64, to global memory), %me (.b32), %own (.b64: the
/// address of the thread's 8 bytes of the output), registers %r0-31 (.b32), %d0-31 (.b64), %h0-15
/// (.b16), %f0-15 (.f32), %e0-15 (.f64), %p0-15, and `body`. `declarations` precede it.
[[nodiscard]] std::string entry(std::string_view body, std::string_view declarations = "");

/// Runs entry "f" of a module on the bytes of `in`, with `out_bytes` of zeroed output. Findings
/// name the input "in" and the output "out".
[[nodiscard]] Result run_module(const std::string& ptx, const std::vector<std::byte>& in,
                                std::size_t out_bytes, const Conditions& conditions = {});

template <class T>
[[nodiscard]] std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Runs entry(body) on 32-bit words; the output has 8 bytes per thread.
[[nodiscard]] Result run(std::string_view body, const std::vector<std::uint32_t>& in = {},
                         const Conditions& conditions = {}, std::string_view declarations = "");

}  // namespace warpcheck::isa::test
