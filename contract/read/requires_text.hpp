// Replaces `requires` in the text of a contract and keeps everything else as it is.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "contract/kernel_source.hpp"

namespace warpcheck::contract {

/// Returns the TOML with `requires` of the variant replaced, or added after the variant's last key.
/// If there are no requirements, an absent key stays absent unless [defaults] has one.
[[nodiscard]] std::string with_requires(std::string_view toml, std::string_view variant,
                                        std::span<const std::string> requirements);

/// Returns the text of the contract's file, which is the sidecar or the `.cu`, after the same
/// change.
[[nodiscard]] std::string contract_text_with_requires(const KernelSource& source,
                                                      std::string_view variant,
                                                      std::span<const std::string> requirements);

}  // namespace warpcheck::contract
