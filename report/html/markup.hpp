// Text and numbers inside HTML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpcheck::report::html {

/// For the text of an element and for the value of an attribute in quotes. What names, sources and
/// kernels say is never markup: & < > " ' are written as references; control characters and bytes
/// that are no UTF-8, as U+FFFD; those that turn the direction of writing, by their code points, so
/// that a source reads here as the compiler reads it. Tabs and line feeds stay.
[[nodiscard]] std::string escaped(std::string_view text);

/// "12,345"
[[nodiscard]] std::string grouped(std::int64_t number);

/// Three digits: "0.0316", "1.2e-05"; "infinite".
[[nodiscard]] std::string short_number(double value);

/// `text` in an element of this class: "code" "case" -> <code class="case">...</code>. Escapes.
[[nodiscard]] std::string element(std::string_view tag, std::string_view css_class,
                                  std::string_view text);

}  // namespace warpcheck::report::html
