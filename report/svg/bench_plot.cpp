#include "report/svg/bench_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>
#include <vector>

namespace warpcheck::report {
namespace {

using workflows::bench::Result;
using workflows::bench::Results;

constexpr int kRowHeight = 22;
constexpr int kLabelWidth = 270;
constexpr int kBarWidth = 420;  // width of a bar of 100 %
constexpr int kWidth = kLabelWidth + kBarWidth * 5 / 4 + 130;

class BenchDrawing {
 public:
  BenchDrawing() : svg_(document_.append_child("svg")) {
    svg_.append_attribute("xmlns") = "http://www.w3.org/2000/svg";
    svg_.append_attribute("font-family") = "sans-serif";
    svg_.append_attribute("font-size") = 13;
  }

  void text(int x, const std::string& content, const char* anchor, bool bold = false) {
    pugi::xml_node node = svg_.append_child("text");
    node.append_attribute("x") = x;
    node.append_attribute("y") = y_ + 15;
    node.append_attribute("text-anchor") = anchor;
    if (bold) node.append_attribute("font-weight") = "bold";
    node.text() = content.c_str();
  }

  void bar(double share) {
    pugi::xml_node node = svg_.append_child("rect");
    node.append_attribute("x") = kLabelWidth;
    node.append_attribute("y") = y_ + 3;
    node.append_attribute("width") = std::min(1.25, share) * kBarWidth;
    node.append_attribute("height") = kRowHeight - 6;
    node.append_attribute("fill") = "#3b6ea8";
  }

  /// A vertical line at 100 %, from `top` to here.
  void mark_cublas(int top) {
    pugi::xml_node node = svg_.append_child("line");
    node.append_attribute("x1") = kLabelWidth + kBarWidth;
    node.append_attribute("x2") = kLabelWidth + kBarWidth;
    node.append_attribute("y1") = top;
    node.append_attribute("y2") = y_;
    node.append_attribute("stroke") = "#b03a2e";
  }

  void next_row() { y_ += kRowHeight; }
  [[nodiscard]] int y() const { return y_; }

  std::string finish() {
    svg_.prepend_attribute("viewBox") = fmt::format("0 0 {} {}", kWidth, y_ + 8).c_str();
    std::ostringstream out;
    document_.save(out, "  ", pugi::format_indent | pugi::format_no_declaration);
    return out.str();
  }

 private:
  pugi::xml_document document_;
  pugi::xml_node svg_;
  int y_ = 8;
};

}  // namespace

std::string bench_plot(const Results& results) {
  BenchDrawing drawing;
  drawing.text(8, "Share of cuBLAS: " + results.device, "start", true);
  drawing.next_row();
  std::vector<std::string> sizes;
  for (const Result& result : results.results) {
    if (std::ranges::find(sizes, result.size) == sizes.end()) sizes.push_back(result.size);
  }
  for (const std::string& size : sizes) {
    drawing.text(8, size, "start", true);
    drawing.next_row();
    const int top = drawing.y();
    for (const Result& result : results.results) {
      const auto share = result.share_of_cublas();
      if (result.size != size || !share) continue;
      drawing.text(kLabelWidth - 8, result.variant, "end");
      drawing.bar(*share);
      drawing.text(kLabelWidth + static_cast<int>(std::min(1.25, *share) * kBarWidth) + 6,
                   fmt::format("{:.0f} %, {:.1f} TOP/s", 100.0 * *share, result.rate() * 1e-12),
                   "start");
      drawing.next_row();
    }
    drawing.mark_cublas(top);
  }
  return drawing.finish();
}

}  // namespace warpcheck::report
