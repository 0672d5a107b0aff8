#include "report/call_stack_text.hpp"

#include <fmt/format.h>

#include "report/path.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

constexpr std::size_t kMostFrames = 8;

std::string titled_line(const std::string& title, const std::string& text, const Paint& paint) {
  return fmt::format("  {} {}\n", paint(Ink::faint, fmt::format("{:<10}", title)), text);
}

}  // namespace

std::string frame_text(const device::HostFrame& frame) {
  const std::string function = frame.function.empty() ? "a function" : visible(frame.function);
  if (frame.line != 0) {
    return fmt::format("{} at {}:{}", function, shown_path(frame.file), frame.line);
  }
  if (frame.object.empty()) return function;
  const std::size_t slash = frame.object.rfind('/');
  return fmt::format("{} in {}", function,
                     visible(frame.object.substr(slash == std::string::npos ? 0 : slash + 1)));
}

std::string stacks_text(const std::vector<device::RelatedStack>& stacks, const Paint& paint) {
  std::string text;
  for (const device::RelatedStack& stack : stacks) {
    for (std::size_t i = 0; i < stack.frames.size() && i < kMostFrames; ++i) {
      text += titled_line(i == 0 ? stack.title : "", frame_text(stack.frames[i]), paint);
    }
    if (stack.frames.size() > kMostFrames) {
      text += titled_line(
          "", fmt::format("... and {} more calls", stack.frames.size() - kMostFrames), paint);
    }
  }
  return text;
}

}  // namespace warpcheck::report
