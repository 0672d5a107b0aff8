// A bisection of a repository as text and as JSON.
#pragma once

#include <string>

#include "report/paint.hpp"
#include "workflows/bisect/bisection.hpp"
#include "workflows/bisect/step.hpp"

namespace warpcheck::report {

/// One line for a commit that was tried: "2a8de7da7a passes  (SUBJECT)".
[[nodiscard]] std::string text(const workflows::bisect::Commit& commit,
                               const workflows::bisect::Step& step);

[[nodiscard]] std::string text(const workflows::bisect::Bisection& bisection, const Paint& paint);

/// {"event":"bisection", commits: [{commit, subject, author, date}], steps, skipped, findings}: one
/// object without a line feed.
[[nodiscard]] std::string json(const workflows::bisect::Bisection& bisection);

}  // namespace warpcheck::report
