// Names of files in a temporary worktree, as "REVISION:FILE".
#pragma once

#include <filesystem>
#include <string>

#include "base/diagnostic.hpp"
#include "campaign/report.hpp"

namespace warpcheck::workflows::repository {

/// "REVISION:FILE", as `git show` spells it, if the file is in `worktree`, the checkout of
/// `revision`; otherwise `file`.
[[nodiscard]] std::string named_by_revision(const std::string& file,
                                            const std::filesystem::path& worktree,
                                            const std::string& revision);

/// The same for every file that an error or a finding names.
[[nodiscard]] InputError named_by_revision(const InputError& error,
                                           const std::filesystem::path& worktree,
                                           const std::string& revision);
void name_by_revision(campaign::FindingReport& report, const std::filesystem::path& worktree,
                      const std::string& revision);

}  // namespace warpcheck::workflows::repository
