// The commit of the sources that a command checks.
#pragma once

#include <span>
#include <string>

namespace warpcheck::workflows::repository {

/// "0af64c8f3a12", the commit that is checked out in the git repository of the files;
/// "0af64c8f3a12 with changes" if one of the files differs from that commit. Several repositories
/// are separated by commas. Empty if there is no commit or no git. Runs no filter, hook or monitor
/// that the configuration of a repository names.
[[nodiscard]] std::string revision_of(std::span<const std::string> files);

}  // namespace warpcheck::workflows::repository
