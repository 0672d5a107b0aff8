#include "report/html/overview.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>

#include "report/html/contents.hpp"
#include "report/html/headline.hpp"
#include "report/html/markup.hpp"
#include "report/path.hpp"
#include "report/proofs.hpp"
#include "report/requirements/error_text.hpp"
#include "report/unsupported_text.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"

namespace warpcheck::report::html {
namespace {

using campaign::CampaignReport;
using campaign::FindingReport;
using campaign::VariantReport;

/// The reason for which all mistrusted kernels are mistrusted, without the numbers of lines.
std::string mistrust_summary(const CampaignReport& campaign) {
  bool lines = true;
  for (const VariantReport& variant : campaign.variants) {
    const bool is_mistrusted = variant.verdict == campaign::Verdict::mistrusted;
    const bool lacks_lines = variant.lines && !variant.lines->unexecuted.empty();
    lines = lines && (!is_mistrusted || lacks_lines);
  }
  return lines ? "some of its lines were never executed"
               : "the data could not have exposed a defect";
}

std::string verdict_sentence(const CampaignReport& campaign, const Totals& all) {
  const std::size_t variants = campaign.variants.size();
  const auto wrong = [variants](std::int64_t some) {
    return variants == 1
               ? "The kernel is wrong"
               : fmt::format("{} of {} kernels {} wrong", some, variants, some == 1 ? "is" : "are");
  };
  if (all.failed != 0) {
    const std::string more =
        fmt::format(", and {} more {} known", all.known, all.known == 1 ? "is" : "are");
    return wrong(all.failed) + (all.known == 0 ? "" : more);
  }
  if (all.mistrusted != 0) {
    const std::string reason = mistrust_summary(campaign);
    return variants == 1
               ? "The kernel passed, but " + reason
               : fmt::format("{} of {} kernels passed, but {}", all.mistrusted, variants, reason);
  }
  if (all.unsupported != 0) {
    return variants == 1 ? "The device cannot execute the kernel"
                         : fmt::format("The device cannot execute {} of {} kernels",
                                       all.unsupported, variants);
  }
  if (all.known != 0) return wrong(all.known) + ", which is known";
  return variants == 1 ? "The kernel passed" : fmt::format("All {} kernels passed", variants);
}

/// The same for a program, whose findings may be of the host.
std::string program_sentence(const Totals& all) {
  if (all.failed != 0) return "The program is wrong";
  if (all.unsupported != 0) return "The device cannot execute all of the program";
  return all.known != 0 ? "The program has no new finding" : "The program has no finding";
}

/// The first requirement that is not met; empty: there is none.
std::string first_open(const ReportContext& context) {
  const auto open = context.requirements.open();
  return open.empty() ? std::string() : escaped(open.front()->reason);
}

/// The sentence of the banner: the reasons for the verdict, the most severe first.
std::string banner_sentence(const ReportContext& context, const Totals& all) {
  if (!context.totals.not_run.empty()) {
    return "Nothing was checked: " + escaped(context.totals.not_run);
  }
  if (context.is_program) {
    std::string text = all.not_checked != 0 ? "The program could not be run to its end" : "";
    if (text.empty() && all.failed == 0) text = first_open(context);
    return text.empty() ? program_sentence(all) : text;
  }
  const std::string kernels = verdict_sentence(context.totals, all);
  if (all.not_checked != 0) {
    return fmt::format("{} could not be checked. {}", counted(all.not_checked, "target"), kernels);
  }
  if (all.not_met == 0) return kernels;
  return fmt::format(
      "{}: {} not met. {}", context.requirements.policy.empty() ? "Failed" : "The gate failed",
      all.not_met == 1 ? "1 requirement is" : fmt::format("{} requirements are", all.not_met),
      kernels);
}

std::string_view banner_class(const CampaignReport& campaign, const Totals& all) {
  if (!campaign.not_run.empty() || all.failed + all.not_checked + all.not_met != 0) return "failed";
  if (all.mistrusted != 0) return "mistrusted";
  if (all.unsupported != 0) return "unsupported";
  return all.known != 0 ? "known" : "passed";
}

std::string problem_list(const ReportContext& context) {
  std::string items;
  for (const contract::TargetError& error : context.totals.errors) {
    items += fmt::format("<li><strong>not checked</strong> {}<pre>{}</pre></li>\n",
                         element("code", "", shown_path(error.target)), escaped(error_text(error)));
  }
  for (const Requirement* requirement : context.requirements.open()) {
    items += fmt::format("<li><strong>not met</strong> {}</li>\n", escaped(requirement->reason));
  }
  for (const std::string& file : context.without_contract) {
    items += fmt::format("<li>no contract, not checked: {}</li>\n",
                         element("code", "", shown_path(file)));
  }
  return items.empty() ? "" : fmt::format("<ul class=notes>\n{}</ul>\n", items);
}

/// A share as a bar with its number.
std::string share_bar(std::optional<double> share) {
  if (!share) return percent(share);
  return fmt::format(
      "<svg width=40 height=8 aria-hidden=true><rect class=track width=40 "
      "height=8 /><rect class=bar width={:.0f} height=8 /></svg> {}",
      40 * *share, percent(share));
}

/// Empty: the table has no such column.
std::string proved_cell(const ReportContext& context, std::string_view variant) {
  if (context.proofs.empty()) return "";
  const workflows::prove::VariantResult* const proof = context.proof_of(variant);
  return cell("Proved", proof == nullptr ? "-" : escaped(proved_text(*proof)));
}

std::string kernel_row(const ReportContext& context, const VariantReport& variant,
                       std::size_t number, std::size_t& finding) {
  const bool is_program = context.is_program;
  std::string links;
  std::string classes;
  for (std::size_t i = 0; i < variant.findings.size(); ++i) {
    ++finding;
    links += fmt::format("{}<a href=\"#finding-{}\" aria-label=\"Finding {}: {}\">{}</a>",
                         i == 0 ? "" : " ", finding, finding,
                         name(variant.findings[i].finding.kind), finding);
    classes += fmt::format("{}{}", i == 0 ? "" : " ", name(variant.findings[i].finding.kind));
  }
  const Measures measured = measures(variant);
  return fmt::format(
             "<tr data-class=\"{}\" data-verdict={}><th scope=row><a href=\"#variant-{}\">{}</a>",
             classes, verdict_word(variant), number, escaped(variant.variant)) +
         verdict_label("td", variant) + cell("Device", escaped(variant.device)) +
         cell(is_program ? "Runs" : "Cases", grouped(variant.cases), "number") +
         (is_program ? ""
                     : cell("Sensitivity", share_bar(measured.sensitivity), "share") +
                           cell("Level coverage", share_bar(measured.level_coverage), "share") +
                           cell("Pair coverage", share_bar(measured.pair_coverage), "share")) +
         proved_cell(context, variant.variant) + cell("Findings", links.empty() ? "none" : links) +
         cell("Time", fmt::format("{:.1f} s", variant.seconds), "number") + "\n";
}

constexpr const char* kMeasureHeadings =
    "Cases<th scope=col title=\"share of the terms of all sums whose loss would certainly have "
    "been "
    "detected\">Sensitivity<th scope=col title=\"share of the levels of the factors that occurred, "
    "of those in the domain\">Level coverage<th scope=col title=\"share of the pairs of levels of "
    "two factors that occurred\">Pair coverage";

std::string kernel_table(const ReportContext& context) {
  const CampaignReport& campaign = context.totals;
  std::string rows;
  std::size_t finding = 0;
  for (std::size_t i = 0; i < campaign.variants.size(); ++i) {
    rows += kernel_row(context, campaign.variants[i], i + 1, finding);
  }
  return fmt::format(
      "<section aria-labelledby=kernels><h2 id=kernels>Kernels</h2>\n{}"
      "<div class=scroll role=region tabindex=0 aria-labelledby=kernels><table class=variants>\n"
      "<thead><tr><th scope=col>Kernel<th scope=col>Verdict<th scope=col>Device"
      "<th scope=col class=number>{}{}<th scope=col>Findings<th scope=col "
      "class=number>Time</thead>\n<tbody>\n{}</tbody></table></div></section>\n",
      number_of_findings(campaign) > kMostUngrouped ? "" : filters(campaign),
      context.is_program ? "Runs" : kMeasureHeadings,
      context.proofs.empty()
          ? ""
          : "<th scope=col title=\"properties that hold for every case of the contract\">Proved",
      rows);
}

}  // namespace

std::string overview(const ReportContext& context) {
  const CampaignReport& campaign = context.totals;
  const Totals all = totals(campaign, context.requirements);
  std::string remarks = problem_list(context);
  for (const workflows::history::Drift& drift : context.drifts) {
    remarks += fmt::format(
        "<p class=drift><strong>Drift:</strong> {} passes, but its error over bound is typically "
        "{:.2g}; it was {:.2g} in the campaign of {} UTC.</p>\n",
        element("code", "", drift.variant), drift.now.typical, drift.before.typical,
        escaped(drift.since));
  }
  if (const std::string stopped = stopped_text(campaign.stopped); !stopped.empty()) {
    remarks += fmt::format("<p><strong>Incomplete:</strong> {}.</p>\n", stopped);
  }
  for (const std::string& form : blocking_forms(campaign)) {
    remarks += fmt::format("<p><strong>Unsupported:</strong> {}.</p>\n", escaped(form));
  }
  const std::string cases = context.is_program
                                ? ""
                                : fmt::format("{} {} in ", grouped(campaign.cases),
                                              campaign.cases == 1 ? "case" : "cases");
  return fmt::format(
      "<section class=\"verdict {}\"><h1>{}</h1>\n<p>{}{:.1f} s{}: "
      "{}.</p>\n{}{}</section>\n{}",
      banner_class(campaign, all), banner_sentence(context, all), cases, campaign.seconds,
      context.is_program
          ? ""
          : fmt::format(" on {}",
                        counted(static_cast<std::int64_t>(campaign.variants.size()), "kernel")),
      all.text(), remarks, findings_list(context), kernel_table(context));
}

}  // namespace warpcheck::report::html
