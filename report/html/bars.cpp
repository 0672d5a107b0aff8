#include "report/html/bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "report/html/markup.hpp"
#include "report/wording.hpp"

namespace warpcheck::report::html {
namespace {

constexpr double kWidth = 440.0;
constexpr double kHeight = 84.0;
constexpr double kWidestBar = 40.0;
constexpr double kCharacter = 7.0;
constexpr double kAxisRoom = 44.0;  // left of the bars, for the numbers of the axis
constexpr std::size_t kMostInLabel = 12;

std::int64_t sum_of(std::span<const Bar> bars) {
  std::int64_t sum = 0;
  for (const Bar& bar : bars) sum += bar.count;
  return sum;
}

std::string share_text(const Bar& bar, std::int64_t sum) {
  return percent(static_cast<double>(bar.count) / static_cast<double>(sum));
}

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
    text += fmt::format("{}{}: {} ({})", text.empty() ? "" : "; ", bar->name, grouped(bar->count),
                        share_text(*bar, sum_of(bars)));
  }
  if (all > kMostInLabel) text += fmt::format("; {} more", all - kMostInLabel);
  return text.empty() ? "none" : text;
}

/// A bar at `x` with its share above it if there is room; its title has the number.
std::string bar_svg(const Bar& bar, double x, double pitch, double height, const std::string& share,
                    std::string_view thing) {
  std::string text =
      fmt::format(R"(<rect class="{}" x="{:.4g}" y="{:.4g}" width="{:.4g}" height="{:.4g}">)"
                  R"(<title>{}: {}, {}</title></rect>)",
                  bar.bad ? "bad" : "bar", x, kHeight - height, std::max(0.4, pitch * 0.84), height,
                  escaped(bar.name), counted(bar.count, thing), share);
  if (kCharacter * static_cast<double>(share.size()) <= pitch) {
    text += fmt::format(R"(<text x="{:.4g}" y="{:.4g}">{}</text>)", x, kHeight - height - 4,
                        escaped(share));
  }
  return text;
}

/// The largest share and 0 on the vertical axis.
std::string axis_svg(const std::string& largest, double width) {
  return fmt::format(
      R"(<path class="axis" d="M0 {0}h{1:.4g}M-3 0h3"/><text class="end" x="-6" y="4">{2}</text>)"
      R"(<text class="end" x="-6" y="{0}">0 %</text>)",
      kHeight, width, escaped(largest));
}

}  // namespace

std::string bar_chart(std::string_view title, std::string_view thing, std::span<const Bar> bars) {
  const double pitch = std::min(kWidestBar, kWidth / static_cast<double>(bars.size()));
  const std::int64_t sum = std::max<std::int64_t>(1, sum_of(bars));
  const Bar& most = *std::max_element(bars.begin(), bars.end(),
                                      [](const Bar& a, const Bar& b) { return a.count < b.count; });
  std::size_t longest_name = 1;
  for (const Bar& bar : bars) longest_name = std::max(longest_name, bar.name.size());
  const auto room = kCharacter * static_cast<double>(longest_name + 1);
  std::size_t every = 1;
  while (pitch * static_cast<double>(every) < room) every *= 2;
  std::string all;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const double x = pitch * static_cast<double>(i);
    if (i % every == 0) {
      all += fmt::format(R"(<text x="{:.4g}" y="{}">{}</text>)", x, kHeight + 14,
                         escaped(bars[i].name));
    }
    if (bars[i].count == 0) continue;
    const double height =
        kHeight * static_cast<double>(bars[i].count) / static_cast<double>(most.count);
    all += bar_svg(bars[i], x, pitch, std::max(2.0, height), share_text(bars[i], sum), thing);
  }
  const double width = pitch * static_cast<double>(bars.size());
  return fmt::format(
      R"(<figure class="bars"><figcaption>{0}</figcaption><svg role="img" aria-label="{0}: {1}" )"
      R"(width="{2:.0f}" viewBox="{3} -16 {2:.4g} {4}">{5}{6}</svg></figure>)",
      escaped(fmt::format("{}; {} = 100 %", title, counted(sum, thing))), escaped(label_text(bars)),
      width + room + kAxisRoom, -kAxisRoom, kHeight + 36, axis_svg(share_text(most, sum), width),
      all);
}

}  // namespace warpcheck::report::html
