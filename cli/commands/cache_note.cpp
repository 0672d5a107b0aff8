#include "cli/commands/cache_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/paths.hpp"
#include "base/visible_text.hpp"
#include "contract/compile/cache_folder.hpp"

namespace warpcheck::cli {

using workflows::targets::Target;

void print_cache_note(std::span<const Target> targets) {
  const std::filesystem::path cache = contract::cache_folder();
  const auto elsewhere = std::find_if(targets.begin(), targets.end(), [&](const Target& target) {
    return !target.path.empty() && target.variant.compiled &&
           path_below(cache, target.variant.compiled->ptx_file).empty();
  });
  if (elsewhere == targets.end()) return;
  const std::filesystem::path used = elsewhere->variant.compiled->ptx_file;
  std::cerr << visible(fmt::format(
                   "warpcheck: note: cannot write the cache {} ({}); compiled kernels are in {}",
                   cache.string(), contract::refusal_of_folder(cache),
                   used.parent_path().string()))
            << '\n';
}

}  // namespace warpcheck::cli
