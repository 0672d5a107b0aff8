// Scripts that make a shell complete the command lines of warpcheck. A script calls `warpcheck
// complete` for the candidates and adds the names of files where the output requests them.
#pragma once

#include <string>

namespace warpcheck::cli {

enum class Shell { bash, zsh, fish };

[[nodiscard]] std::string completion_script(Shell shell);

}  // namespace warpcheck::cli
