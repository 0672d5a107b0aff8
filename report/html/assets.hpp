// The style sheet and the script of the page, embedded at build time.
#pragma once

#include <string_view>

namespace warpcheck::report::html {

extern const std::string_view kStyle;   // report.css
extern const std::string_view kScript;  // report.js

}  // namespace warpcheck::report::html
