// Wording of proofs, the same in all formats.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "workflows/prove/prove.hpp"

namespace warpcheck::report {

/// "6 of 6", "4 of 6, not races, written-once".
[[nodiscard]] std::string proved_text(const workflows::prove::VariantResult& result);

/// "mine.cu:12: "; empty if there is no line.
[[nodiscard]] std::string line_text(const Location& where);

/// "proved with requires = ["n % 4 == 0"]"; empty: no such conditions were found.
[[nodiscard]] std::string sufficient_text(const workflows::prove::PropertyResult& property);

/// Why a property is not proved, with its place, "mine.cu:12: out-of-bounds: 4-byte load ..." if it
/// is refuted, and the conditions with which it is proved.
[[nodiscard]] std::string open_reason(const workflows::prove::PropertyResult& property);

/// The properties of a variant that are not proved: "bounds refuted: ...; races, written-once
/// unknown: needs ...".
[[nodiscard]] std::string open_reasons(const workflows::prove::VariantResult& result);

/// "sgemm: races unknown: mine.cu:12: ...".
[[nodiscard]] std::string open_text(std::string_view variant,
                                    const workflows::prove::PropertyResult& property);

/// "12 properties of 2 variants: 9 proved, 1 refuted, 2 unknown".
[[nodiscard]] std::string proof_totals(std::span<const workflows::prove::VariantResult> results);

}  // namespace warpcheck::report
