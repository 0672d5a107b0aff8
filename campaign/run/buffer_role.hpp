// The roles of the buffers of a job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace warpcheck::campaign::run {

/// A job has one call of the kernel, the checked one, or two, of which the checked one is the
/// second.
enum class Call : std::uint8_t { checked, earlier };

struct BufferRole {
  std::optional<std::size_t> operand;  // number in Layouts::operands; empty: a workspace
  Call call = Call::checked;
};

/// Adds the call to the name of a buffer or of an element: "A" and "A of the first call".
[[nodiscard]] std::string in_call(std::string name, Call call);

}  // namespace warpcheck::campaign::run
