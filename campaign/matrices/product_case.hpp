// Cases of a product of matrices, under a contract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "campaign/case/case.hpp"
#include "campaign/case/layout.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::product {

/// See normalized.hpp.
[[nodiscard]] Case normalized(const contract::Contract& contract, Case problem);
[[nodiscard]] std::string ignored_field(const contract::Contract& contract, const Case& problem);

/// See layout.hpp.
[[nodiscard]] Layouts lay_out(const contract::Contract& contract, const Case& problem,
                              std::size_t limit_bytes);

/// See domain.hpp.
[[nodiscard]] std::optional<std::int64_t> value_of(const contract::Contract& contract,
                                                   const Case& problem, std::string_view name);
[[nodiscard]] std::optional<std::int64_t> address_of(const contract::Contract& contract,
                                                     const Case& problem, std::string_view buffer);

/// See schema.hpp.
[[nodiscard]] std::int64_t tight_value(const contract::Contract& contract, const Case& problem,
                                       std::string_view stride_field);
void reset_short_strides(const contract::Contract& contract, Case& problem);

}  // namespace warpcheck::campaign::product
