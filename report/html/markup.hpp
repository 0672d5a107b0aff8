// Text and numbers inside HTML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpcheck::report::html {

/// Escapes names, sources and output of kernels for the text of an element and for an attribute in
/// quotes: & < > " ' become references, control characters and bytes that are not UTF-8 become
/// U+FFFD. Characters that change the direction of writing are shown by their code points, so that
/// a source reads as the compiler reads it. Tabs and line feeds stay.
[[nodiscard]] std::string escaped(std::string_view text);

/// "12,345"
[[nodiscard]] std::string grouped(std::int64_t number);

/// Three digits: "0.0316", "1.2e-05"; or "infinite".
[[nodiscard]] std::string short_number(double value);

/// `text` in an element of this class: "code" "case" -> <code class="case">...</code>. Escapes.
[[nodiscard]] std::string element(std::string_view tag, std::string_view css_class,
                                  std::string_view text);

/// A cell of a table, with the heading of its column for narrow screens. `content` is HTML.
[[nodiscard]] std::string cell(std::string_view heading, std::string_view content,
                               std::string_view css_class = {});

}  // namespace warpcheck::report::html
