// Calls of the host as text.
#pragma once

#include <string>
#include <vector>

#include "device/call_stack.hpp"
#include "report/paint.hpp"

namespace warpcheck::report {

/// "main at add.cu:12", "main in libadd.so" if the line is not known.
[[nodiscard]] std::string frame_text(const device::HostFrame& frame);

/// The innermost calls, one a line, each stack below its title.
[[nodiscard]] std::string stacks_text(const std::vector<device::RelatedStack>& stacks,
                                      const Paint& paint);

}  // namespace warpcheck::report
