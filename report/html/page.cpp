#include "report/html/page.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstddef>
#include <ctime>

#include "base/content_hash.hpp"
#include "report/html/assets.hpp"
#include "report/html/finding.hpp"
#include "report/html/markup.hpp"
#include "report/html/overview.hpp"
#include "report/html/proofs.hpp"
#include "report/html/variant.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using campaign::FindingReport;
using campaign::VariantReport;

std::string findings_section(const ReportContext& context) {
  std::string text;
  std::size_t number = 0;
  for (const VariantReport& variant : context.totals.variants) {
    for (const FindingReport& finding : variant.findings) {
      text += html::finding_article(context, variant, finding, ++number);
    }
  }
  if (text.empty()) return "";
  return "<section aria-labelledby=findings><h2 id=findings>Findings</h2>\n" + text +
         "</section>\n";
}

std::string variants_section(const ReportContext& context) {
  std::string text;
  std::size_t number = 0;
  std::size_t finding = 1;
  for (const VariantReport& variant : context.totals.variants) {
    text += html::variant_section(context, variant, ++number, finding);
    finding += variant.findings.size();
  }
  return "<section aria-labelledby=details><h2 id=details>Cases, history and source</h2>\n" + text +
         "</section>\n";
}

/// Content security policy: no network, and only the page's own script, in case a text is not
/// escaped correctly.
std::string content_policy(const std::string& nonce) {
  return fmt::format(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'nonce-{}'; "
      "base-uri 'none'; "
      "form-action 'none'",
      nonce);
}

/// "1 of 3 kernels failed, 2 requirements not met"
std::string page_title(const ReportContext& context) {
  if (!context.totals.not_run.empty()) return "nothing was checked";
  const Totals all = totals(context.totals, context.requirements);
  if (context.is_program) {
    return fmt::format("program {}", name(outcome_of(context.totals, context.requirements)));
  }
  if (context.is_proof) return proof_totals(context.proofs);
  std::string title =
      fmt::format("{} of {} failed", all.failed,
                  counted(static_cast<std::int64_t>(context.totals.variants.size()), "kernel"));
  if (all.not_checked != 0) title += fmt::format(", {} not checked", all.not_checked);
  if (all.not_met != 0) title += fmt::format(", {} not met", counted(all.not_met, "requirement"));
  return title;
}

/// The command and what it ran with; empty: unknown.
std::string run_list(const RunInfo& run) {
  if (run.version.empty()) return "";
  std::string items;
  const auto add = [&items](std::string_view term, const std::string& description) {
    if (description.empty()) return;
    items += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", term, description);
  };
  add("Command", html::element("code", "", run.command));
  add("Seed", run.seed ? fmt::format("{}", *run.seed) : "");
  add("Device", html::escaped(run.device));
  add("Commit", run.revision.empty() ? "" : html::element("code", "", run.revision));
  add("nvcc", html::escaped(run.nvcc));
  add("warpcheck", html::escaped(run.version));
  return fmt::format("<dl class=run>{}</dl>\n", items);
}

}  // namespace

std::string html_page(const ReportContext& context) {
  const std::string body =
      context.is_proof
          ? html::proof_overview(context) + findings_section(context)
          : html::overview(context) + findings_section(context) + variants_section(context);
  ContentHash hash;
  hash.add(body);
  const std::string nonce = hash.digits();
  const auto now = fmt::gmtime(std::time(nullptr));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
      "<meta http-equiv=Content-Security-Policy content=\"{}\">\n"
      "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=color-scheme content=\"light dark\">\n"
      "<title>warpcheck: {}</title>\n<link rel=icon href=\"data:,\">\n"
      "<style>\n{}</style>\n</head>\n<body>\n<a class=skip href=\"#content\">Skip to the "
      "report</a>\n"
      "<header><p class=brand>warpcheck</p><p class=when>{:%Y-%m-%d %H:%M} UTC</p>"
      "<button type=button id=theme hidden>Theme: system</button></header>\n"
      "<main id=content tabindex=-1>\n{}{}</main>\n<p id=status role=status class=hidden></p>\n"
      "<script nonce={}>\n{}</script>\n</body>\n</html>\n",
      content_policy(nonce), page_title(context), html::kStyle, now, run_list(context.run), body,
      nonce, html::kScript);
}

}  // namespace warpcheck::report
