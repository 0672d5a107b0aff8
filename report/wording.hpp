// Wording of numbers, places and quoted texts, the same in all formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/visible_text.hpp"
#include "campaign/report.hpp"
#include "device/finding.hpp"

namespace warpcheck::report {

using warpcheck::printable;
using warpcheck::visible;

/// "1 case", "2 cases".
[[nodiscard]] std::string counted(std::int64_t number, std::string_view thing);

/// "a.cu, b.cu and 3 more", with the paths that shown_path() returns.
[[nodiscard]] std::string file_list(const std::vector<std::string>& files);

/// Rounded down, so that "100 %" means all; "< 1 %" is more than 0; "-": not measured.
[[nodiscard]] std::string percent(std::optional<double> share);

/// Replaces bytes that are not UTF-8 by U+FFFD, for formats that are Unicode.
[[nodiscard]] std::string utf8(std::string_view text);

/// "mine.cu:15", with the path as shown_path() returns it; "PTX line 87" if the source line is not
/// known.
[[nodiscard]] std::string place_text(const SourcePlace& source);

/// Name and statement of the property of a finding: "matches-reference: D is ...".
[[nodiscard]] std::string property_text(const campaign::FindingReport& report);

/// "3 cases stopped by the time limit", which neither passed nor failed; empty if there is none.
[[nodiscard]] std::string stopped_text(std::int64_t cases);

}  // namespace warpcheck::report
