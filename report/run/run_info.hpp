// The command that wrote a report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpcheck::report {

struct RunInfo {
  std::string version = {};                // version of warpcheck: "0.2.0"
  std::string command = {};                // the command line, as words for a shell
  std::optional<std::uint64_t> seed = {};  // seed of the cases; empty: the command has none
  std::string device = {};                 // description of the device; empty: none was opened
  std::string nvcc = {};                   // versions that compiled the targets; empty: unknown
  std::string revision = {};               // revision of the targets' repository, see revision_of()
  std::string docs = {};                   // folder of the pages on this machine; empty: none
};

/// The version of nvcc that wrote the PTX: "12.8.93"; empty: the PTX does not name it.
[[nodiscard]] std::string nvcc_version_of(std::string_view ptx);

}  // namespace warpcheck::report
