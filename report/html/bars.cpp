#include "report/html/bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/html/markup.hpp"

namespace warpcheck::report::html {
namespace {

constexpr double kWidth = 440.0;
constexpr double kHeight = 84.0;
constexpr double kWidestBar = 40.0;
constexpr double kCharacter = 7.0;
constexpr std::size_t kMostInLabel = 12;

std::string label_text(std::span<const Bar> bars) {
  std::vector<const Bar*> shown;
  for (const Bar& bar : bars) {
    if (bar.count != 0) shown.push_back(&bar);
  }
  const std::size_t all = shown.size();
  if (all > kMostInLabel) {
    std::stable_sort(shown.begin(), shown.end(),
                     [](const Bar* one, const Bar* other) { return one->count > other->count; });
    shown.resize(kMostInLabel);
  }
  std::string text;
  for (const Bar* bar : shown) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", bar->name, grouped(bar->count));
  }
  if (all > kMostInLabel) text += fmt::format("; {} more", all - kMostInLabel);
  return text.empty() ? "none" : text;
}

/// A bar with its number above it if there is room, and its name below it if `named`.
std::string bar_svg(const Bar& bar, double x, double pitch, double height, bool named) {
  std::string text;
  const std::string number = grouped(bar.count);
  if (bar.count != 0) {
    text = fmt::format(R"(<rect class="{}" x="{:.4g}" y="{:.4g}" width="{:.4g}" height="{:.4g}">)"
                       R"(<title>{}: {}</title></rect>)",
                       bar.bad ? "bad" : "bar", x, kHeight - height, std::max(0.4, pitch * 0.84),
                       height, escaped(bar.name), number);
    if (kCharacter * static_cast<double>(number.size()) <= pitch) {
      text +=
          fmt::format(R"(<text x="{:.4g}" y="{:.4g}">{}</text>)", x, kHeight - height - 4, number);
    }
  }
  if (named) {
    text += fmt::format(R"(<text x="{:.4g}" y="{}">{}</text>)", x, kHeight + 14, escaped(bar.name));
  }
  return text;
}

}  // namespace

std::string bar_chart(std::string_view title, std::span<const Bar> bars) {
  const double pitch = std::min(kWidestBar, kWidth / static_cast<double>(bars.size()));
  std::int64_t most = 1;
  std::size_t longest_name = 1;
  for (const Bar& bar : bars) {
    most = std::max(most, bar.count);
    longest_name = std::max(longest_name, bar.name.size());
  }
  const auto room = kCharacter * static_cast<double>(longest_name + 1);
  std::size_t every = 1;
  while (pitch * static_cast<double>(every) < room) every *= 2;
  std::string all;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const double share = static_cast<double>(bars[i].count) / static_cast<double>(most);
    all += bar_svg(bars[i], pitch * static_cast<double>(i), pitch, std::max(2.0, kHeight * share),
                   i % every == 0);
  }
  const double width = pitch * static_cast<double>(bars.size());
  return fmt::format(
      R"(<figure class="bars"><figcaption>{0}</figcaption><svg role="img" aria-label="{0}: {1}" )"
      R"(width="{2:.0f}" viewBox="0 -16 {2:.4g} {3}"><path class="axis" d="M0 {4}h{5:.4g}"/>{6})"
      R"(</svg></figure>)",
      escaped(title), escaped(label_text(bars)), width + room, kHeight + 36, kHeight, width, all);
}

}  // namespace warpcheck::report::html
