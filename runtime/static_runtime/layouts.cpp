#include "runtime/static_runtime/layouts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace warpcheck::runtime {
namespace {

constexpr std::int64_t kAbsent = -1;

#include "static_runtimes.inc"

/// The functions of a version in the order of their addresses, relative to the code of the runtime.
using Layout = std::vector<RuntimeFunction>;

Layout layout(std::size_t version) {
  Layout functions;
  for (const auto& function : kFunctions) {
    const std::int64_t offset = function.offsets[version];
    if (offset == kAbsent) continue;
    functions.push_back({function.name, static_cast<std::uint64_t>(offset)});
  }
  std::sort(functions.begin(), functions.end(),
            [](const auto& one, const auto& other) { return one.address < other.address; });
  return functions;
}

const std::vector<Layout>& layouts() {
  static const auto* const all = [] {
    auto* const made = new std::vector<Layout>();
    for (std::size_t version = 0; version < kVersions; ++version) made->push_back(layout(version));
    return made;
  }();
  return *all;
}

/// The address of the code of a runtime; empty if the functions of the layout do not all exist. The
/// last function is compared first: that two functions far from each other exist is rare.
std::optional<std::uint64_t> code_of(const Layout& layout,
                                     const std::vector<std::uint64_t>& starts) {
  const std::uint64_t first = layout.front().address;
  const std::uint64_t distance = layout.back().address - first;
  auto last = starts.begin();
  for (const std::uint64_t start : starts) {
    while (last != starts.end() && *last - start < distance) ++last;
    if (last == starts.end()) break;
    if (*last - start != distance) continue;
    const bool all_exist = std::all_of(layout.rbegin(), layout.rend(), [&](const auto& function) {
      return std::binary_search(starts.begin(), starts.end(), start - first + function.address);
    });
    if (all_exist) return start - first;
  }
  return std::nullopt;
}

}  // namespace

std::vector<RuntimeFunction> find_static_runtime(const std::vector<std::uint64_t>& starts) {
  for (const Layout& layout : layouts()) {
    const auto code = code_of(layout, starts);
    if (!code) continue;
    Layout functions = layout;
    for (RuntimeFunction& function : functions) function.address += *code;
    return functions;
  }
  return {};
}

}  // namespace warpcheck::runtime
