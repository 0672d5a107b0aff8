// Code from which NVRTC generates other PTX than nvcc.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpcheck::contract {

/// A reason why the PTX of a source or header may differ; empty: none is known.
[[nodiscard]] std::optional<std::string> nvrtc_difference(std::string_view source);

/// The same for the PTX of NVRTC.
[[nodiscard]] std::optional<std::string> nvrtc_difference_in_ptx(std::string_view ptx);

/// True if NVRTC and nvcc give this header of the toolkit, a file name, the same meaning.
[[nodiscard]] bool is_same_for_nvrtc(std::string_view header);

}  // namespace warpcheck::contract
