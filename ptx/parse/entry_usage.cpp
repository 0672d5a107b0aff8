#include "ptx/entry_usage.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace warpcheck::ptx {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The text from `.entry name(` to the next entry or function.
std::string_view body_of(std::string_view text, std::string_view entry) {
  const std::string opening = ".entry " + std::string(entry) + "(";
  const std::size_t begin = text.find(opening);
  if (begin == std::string_view::npos) return {};
  const std::size_t from = begin + opening.size();
  const std::size_t end = std::min(text.find(".entry ", from), text.find("\n.func", from));
  return text.substr(begin, std::min(end, text.size()) - begin);
}

unsigned axes_of(std::string_view text, const std::string& name) {
  return contains(text, name + ".z") ? 3 : contains(text, name + ".y") ? 2 : 1;
}

/// The product of the numbers of `.maxntid 16, 16, 1`.
std::optional<std::int64_t> most_threads(std::string_view text) {
  constexpr std::string_view kName = ".maxntid";
  const std::size_t at = text.find(kName);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view list = text.substr(at + kName.size());
  std::int64_t product = 1;
  for (;;) {
    list.remove_prefix(std::min(list.find_first_not_of(" \t"), list.size()));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), number);
    if (error != std::errc()) return std::nullopt;
    product *= number;
    list.remove_prefix(static_cast<std::size_t>(end - list.data()));
    if (!list.starts_with(',')) return product;
    list.remove_prefix(1);
  }
}

/// True if the body names a variable that the text declares as `.extern .shared`.
bool uses_dynamic_shared(std::string_view text, std::string_view body) {
  constexpr std::string_view kDeclaration = ".extern .shared";
  for (std::size_t at = text.find(kDeclaration); at != std::string_view::npos;
       at = text.find(kDeclaration, at + 1)) {
    const std::size_t bracket = text.find('[', at);
    if (bracket == std::string_view::npos) return false;
    const std::size_t blank = text.rfind(' ', bracket);
    if (contains(body, text.substr(blank + 1, bracket - blank - 1))) return true;
  }
  return false;
}

/// True if an addition or multiplication has a type of 16 bits, or two of them: `fma.rn.f16x2`.
bool has_half_arithmetic(std::string_view body) {
  for (const std::string_view operation : {"add", "sub", "mul", "fma"}) {
    for (std::size_t at = body.find(operation); at != std::string_view::npos;
         at = body.find(operation, at + 1)) {
      const std::string_view instruction = body.substr(at, body.find_first_of(" \t", at) - at);
      if (contains(instruction, ".f16") || contains(instruction, ".bf16")) return true;
    }
  }
  return false;
}

}  // namespace

EntryUsage entry_usage(std::string_view text, std::string_view entry) {
  std::string_view body = body_of(text, entry);
  EntryUsage usage;
  usage.most_threads = most_threads(body);
  if (contains(body, "call")) body = text;
  usage.thread_axes = axes_of(body, "%tid");
  usage.block_axes = axes_of(body, "%ctaid");
  usage.block_index = contains(body, "%ctaid");
  usage.block_size = contains(body, "%ntid");
  // Only atom and red have these suffixes: a plain addition is `add.f32`.
  usage.atomic_sums = contains(body, ".add.f32") || contains(body, ".add.f64") ||
                      contains(body, ".add.noftz.f16") || contains(body, ".add.noftz.bf16");
  usage.half_arithmetic = has_half_arithmetic(body);
  usage.dynamic_shared = uses_dynamic_shared(text, body);
  usage.tensor_cores = contains(body, "mma.sync") || contains(body, "wmma.mma");
  usage.tf32 = usage.tensor_cores && contains(body, ".tf32.tf32");
  usage.fp8 = usage.tensor_cores && (contains(body, ".e4m3") || contains(body, ".e5m2"));
  return usage;
}

}  // namespace warpcheck::ptx
