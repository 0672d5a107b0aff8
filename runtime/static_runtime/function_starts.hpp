// The functions of a loaded object, by the table that unwinds stacks: stripped files have it, too.
#pragma once

#include <link.h>

#include <cstdint>
#include <vector>

namespace warpcheck::runtime {

/// The addresses at which functions begin, ascending. Empty: the object has no such table.
[[nodiscard]] std::vector<std::uint64_t> function_starts(const dl_phdr_info& object);

}  // namespace warpcheck::runtime
