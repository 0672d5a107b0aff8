#include "cli/help/version.hpp"

namespace warpcheck::cli {

const char* program_version() { return WARPCHECK_VERSION; }

}  // namespace warpcheck::cli
