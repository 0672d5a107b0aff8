// The start of a command, for the reports.
#pragma once

#include <span>
#include <string>

#include "report/run/run_info.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {

/// The versions of nvcc that compiled the targets: "12.8.93, 13.0.88"; empty: unknown.
[[nodiscard]] std::string nvcc_versions(std::span<const workflows::targets::Target> targets);

/// The revision of the targets' contracts, sources and headers; see
/// workflows::repository::revision_of().
[[nodiscard]] std::string revision_of(std::span<const workflows::targets::Target> targets);

/// `run` with the version of the program, and the versions of nvcc and the revision of the targets.
[[nodiscard]] report::RunInfo completed(report::RunInfo run,
                                        std::span<const workflows::targets::Target> targets);

}  // namespace warpcheck::cli
