// Places in a kernel's source.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "kernels/contract/variant.hpp"
#include "properties/campaign.hpp"

namespace warpcheck::properties {

/// Where the kernel that a contract calls "ns::name<8>" is defined, that is, where its name follows
/// `__global__` in the same declaration; line and column 0 where the source has no such place.
[[nodiscard]] Location definition(std::string_view source, std::string_view kernel);

/// Two lines before the place and two after it. Empty where the place is not known or the file is
/// neither the variant's nor readable.
[[nodiscard]] Excerpt excerpt(const kernels::Variant& variant, const SourcePlace& place);

}  // namespace warpcheck::properties
