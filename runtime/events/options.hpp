// Options of `warpcheck exec` that the CUDA runtime inside the program reads from its environment.
// The runtime links no workflow, so that it cannot use the table of options.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "device/limits.hpp"

namespace warpcheck::runtime {

inline constexpr const char* kOptionsVariable = "WARPCHECK_EXEC";

struct ExecOptions {
  std::string events;                     // the file that receives the events
  std::string replies;                    // the file that receives the replies of the command
  std::string kernels = "*";              // glob: mangled or plain names of the kernels to run
  std::uint64_t skip = 0;                 // matching launches that are not run at first
  std::uint64_t count = 0;                // matching launches that are run; 0: all
  std::uint64_t launches_per_kernel = 0;  // and the first one of each other grid; 0: all
  std::uint64_t seed = 0;                 // seed of the first schedule
  unsigned schedules = 4;  // schedules of a launch whose result may depend on the order of threads
  std::string gpu = "h100";      // the model of the imaginary device
  unsigned multiprocessors = 0;  // 0: as many as the model has
  unsigned host_threads = 1;
  double seconds = 0.0;       // limit of one launch; 0: none
  double test_seconds = 0.0;  // limit of all launches of a test; 0: none
  device::Limits limits = {.instructions = std::uint64_t{1} << 32};
  bool leaks = false;
  bool sticky_errors = false;  // a finding of a kernel is an error of the device
  bool origins = false;  // reports the origins of undefined values; launches use one host thread
  bool races = true;
  bool weak_volatile = false;
};

[[nodiscard]] std::string to_json(const ExecOptions& options);
/// Throws InputError if the text is not what to_json() returned.
[[nodiscard]] ExecOptions options_from_json(std::string_view text);

}  // namespace warpcheck::runtime
