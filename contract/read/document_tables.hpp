// The tables of a contract's document.
#pragma once

#include <toml++/toml.h>

#include <span>
#include <string_view>

#include "contract/read/toml_text.hpp"

namespace warpcheck::contract {

/// Reports keys that are not tables of a contract. `keys` are those of a variant. Throws if they
/// leave it without its keys or without a variant, because the errors that follow from this would
/// hide the cause.
void require_tables(TomlText& text, const toml::table& document,
                    std::span<const std::string_view> keys);

}  // namespace warpcheck::contract
