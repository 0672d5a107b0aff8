#include "report/console/difference_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/shown_number.hpp"
#include "report/finding/notes.hpp"

namespace warpcheck::report {
namespace {

using workflows::diff::DifferenceReport;
using workflows::diff::ElementDifference;
using workflows::diff::SideReport;

std::string times(double before, double after) {
  if (before == after) return "same";
  return before == 0.0 ? "-" : fmt::format("{:.3g} x", after / before);
}

struct Row {
  std::string name;
  std::string before;
  std::string after;
  std::string ratio;
};

Row row(std::string_view name, std::uint64_t before, std::uint64_t after) {
  return {std::string(name), fmt::format("{}", before), fmt::format("{}", after),
          times(static_cast<double>(before), static_cast<double>(after))};
}

Row row(std::string_view name, double before, double after) {
  return {std::string(name), fmt::format("{:.3g}", before), fmt::format("{:.3g}", after),
          times(before, after)};
}

std::string verdict_of(const SideReport& side) {
  if (side.failed == 0) return side.unsupported.empty() ? "pass" : "unsupported";
  return side.findings.empty() ? "fails" : std::string(name(side.findings.front().finding.kind));
}

std::vector<Row> rows(const Difference& difference) {
  const DifferenceReport& report = difference.report;
  const SideReport& before = report.before;
  const SideReport& after = report.after;
  std::vector<Row> all;
  all.push_back({"verdict", verdict_of(before), verdict_of(after), ""});
  all.push_back(row("failing cases", static_cast<std::uint64_t>(before.failed),
                    static_cast<std::uint64_t>(after.failed)));
  all.push_back(row("largest error / bound", before.error.largest, after.error.largest));
  all.push_back(row("mean error / bound", before.error.mean, after.error.mean));
  all.push_back({"error, case by case", "", "", fmt::format("{:.3g} x", report.error_ratio)});
  if (report.counted) {
    all.push_back(row("warp instructions", before.cost.instructions, after.cost.instructions));
    all.push_back(row("global requests", before.cost.global_requests, after.cost.global_requests));
    all.push_back(row("global sectors", before.cost.global_sectors, after.cost.global_sectors));
    all.push_back(row("shared requests", before.cost.shared_requests, after.cost.shared_requests));
    all.push_back(row("bank conflicts", before.cost.bank_conflicts, after.cost.bank_conflicts));
  }
  if (difference.speed) {
    all.push_back(row("microseconds", difference.speed->before_seconds * 1e6,
                      difference.speed->after_seconds * 1e6));
  }
  return all;
}

std::string table(const std::vector<Row>& all) {
  std::size_t before = 3;
  std::size_t after = 3;
  for (const Row& entry : all) {
    before = std::max(before, entry.before.size());
    after = std::max(after, entry.after.size());
  }
  const auto line = [&](const Row& entry) {
    std::string text = fmt::format("  {:<21}  {:>{}}  {:>{}}  {:>9}", entry.name, entry.before,
                                   before, entry.after, after, entry.ratio);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line({"", "old", "new", "new / old"});
  for (const Row& entry : all) text += line(entry);
  return text;
}

std::string element_text(const ElementDifference& element) {
  std::string text =
      fmt::format("{} is {} in old, {} in new; expected {}", element.element, shown(element.before),
                  shown(element.after), shown(element.expected));
  if (element.ulps) {
    text += std::isinf(*element.ulps) ? std::string("; one is NaN")
                                      : fmt::format("; {:.0f} ulp apart", *element.ulps);
  }
  text += element.tolerance == 0.0
              ? std::string(", where equality is required")
              : fmt::format(", {:.3g} of the bound {:.3g}", element.over_bound, element.tolerance);
  return text + fmt::format("; {} of {} elements differ", element.differing, element.elements);
}

std::string difference_field(const Paint& paint, std::string_view name, std::string_view value) {
  return fmt::format("  {} {}\n", paint(Ink::faint, fmt::format("{:<10}", name)), value);
}

std::string bits(const DifferenceReport& report, const Paint& paint) {
  if (report.compared == 0) {
    return fmt::format("{} was not compared: both sides completed no common case\n", report.output);
  }
  if (report.differing == 0) {
    return fmt::format("{} is the same, bit for bit, on all {} cases that both completed\n",
                       report.output, report.compared);
  }
  std::string text = fmt::format("{} differs on {} of {} cases that both completed\n",
                                 report.output, report.differing, report.compared);
  text += difference_field(paint, "largest", to_line(report.largest->problem));
  text += difference_field(paint, "", element_text(*report.largest));
  if (report.smallest) {
    text += difference_field(paint, "smallest", to_line(report.smallest->problem));
    text += difference_field(paint, "", element_text(*report.smallest));
  }
  if (!report.fully_shrunk) text += difference_field(paint, "", std::string(kNotFullyShrunk));
  return text;
}

std::string errors(const DifferenceReport& report, const Paint& paint) {
  if (report.erring == 0) {
    return "no case shows an error on either side: the results are exact\n";
  }
  std::string text;
  if (report.drift) {
    text += paint(Ink::yellow, "new is markedly less accurate, but both pass") + "\n";
  }
  if (report.after.error.worst) {
    text += difference_field(paint, "worst new", to_line(*report.after.error.worst));
  }
  return text;
}

/// The label of a side, followed by the name of the variant unless the label contains it.
std::string title(const std::string& label, const std::string& variant) {
  return label == variant || label.ends_with(":" + variant) ? label : label + " " + variant;
}

}  // namespace

std::string difference_text(const Difference& difference, const Paint& paint) {
  const DifferenceReport& report = difference.report;
  std::string text =
      fmt::format("old: {}\nnew: {}\n", title(difference.before, report.before.variant),
                  title(difference.after, report.after.variant));
  for (const std::string& remark : report.remarks) text += fmt::format("note: {}\n", remark);
  text += fmt::format("{} cases in both domains; errors over the {} cases that show one\n",
                      report.cases, report.erring);
  text += table(rows(difference));
  if (difference.speed) {
    text += fmt::format("  microseconds: median of {} runs of {}\n", difference.speed->runs,
                        to_line(difference.speed->problem));
  }
  text += errors(report, paint);
  return text + bits(report, paint);
}

}  // namespace warpcheck::report
