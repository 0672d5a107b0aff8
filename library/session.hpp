// A session of the C interface: memory, modules, and the report of the last launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/variant.hpp"
#include "device/session.hpp"
#include "library/include/warpcheck/warpcheck.h"

namespace warpcheck::library {

/// Arguments of one launch.
struct LaunchRequest {
  std::uint32_t module = 0;
  std::string kernel;  // empty: the only one
  Dim3 grid;
  Dim3 block;
  std::size_t shared_bytes = 0;
  std::span<const void* const> arguments;  // the address of each value
};

class LibrarySession {
 public:
  explicit LibrarySession(const warpcheck_options& options);

  [[nodiscard]] device::Session& device() { return *device_; }

  /// Throws InputError.
  [[nodiscard]] std::uint32_t load(std::string_view ptx, const std::string& file);

  /// Throws InputError if there is no such module or kernel.
  [[nodiscard]] device::KernelInfo kernel(std::uint32_t module, const std::string& name) const;

  /// The type of a parameter, as warpcheck_parameter_type() returns it. Throws as kernel(), and if
  /// there is no such parameter.
  [[nodiscard]] const std::string& parameter_type(std::uint32_t module, const std::string& name,
                                                  std::size_t number);

  /// Returns WARPCHECK_OK, WARPCHECK_FINDINGS or WARPCHECK_UNSUPPORTED. Throws InputError.
  int launch(const LaunchRequest& request);

  /// A name for an allocation without one.
  [[nodiscard]] std::string next_name();

  /// The report of the last launch.
  [[nodiscard]] const std::string& json() const { return json_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  std::string error;
  std::set<std::uint64_t> adopted;  // addresses of memory of the host

 private:
  struct LoadedModule {
    device::ModuleId id = 0;
    contract::Variant source;  // source for excerpts; `compiled` and `entries` are set
  };

  [[nodiscard]] const LoadedModule& module(std::uint32_t number) const;
  [[nodiscard]] contract::Entry entry(std::uint32_t module, const std::string& name) const;
  void report(const LoadedModule& module, const std::string& kernel,
              const device::LaunchResult& result);

  warpcheck_options options_;
  std::unique_ptr<device::Session> device_;
  std::vector<LoadedModule> modules_;
  std::uint64_t names_ = 0;
  int status_ = WARPCHECK_OK;
  std::string json_ = "{}";
  std::string text_;
  std::string parameter_type_;  // last result of parameter_type()
};

}  // namespace warpcheck::library
