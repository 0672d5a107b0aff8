#include "report/markdown/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "report/failure_block.hpp"
#include "report/mistrust_text.hpp"
#include "report/path.hpp"
#include "report/proofs.hpp"
#include "report/requirements/error_text.hpp"
#include "report/unsupported_text.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using campaign::FindingReport;
using campaign::VariantReport;
using campaign::Verdict;

constexpr std::size_t kMostBytes = 900'000;  // limit of findings; the rest of 1 MiB is for tables

/// Escapes text for a line of HTML or a cell of a table.
std::string inline_text(std::string_view text) {
  std::string escaped;
  for (const char c : utf8(printable(text))) {
    const bool special = std::string_view("\\`*_[]|~").find(c) != std::string_view::npos;
    if (c == '<' || c == '>' || c == '&') {
      escaped += c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;";
    } else {
      escaped += special ? fmt::format("&#{};", static_cast<int>(c)) : std::string(1, c);
    }
  }
  return escaped;
}

/// A code block with a fence longer than any run of backticks in the text.
std::string fenced(const std::string& text) {
  const std::string clean = utf8(printable(text, true));
  std::string fence = "```";
  while (clean.find(fence) != std::string::npos) fence += '`';
  return fmt::format("{}text\n{}{}{}\n", fence, clean, clean.ends_with('\n') ? "" : "\n", fence);
}

/// A cell without its left border; empty: the table has no such column.
std::string proved_cell(std::string_view variant, const ReportContext& context) {
  if (context.proofs.empty()) return "";
  const workflows::prove::VariantResult* const proof = context.proof_of(variant);
  return fmt::format(" {} |", proof == nullptr ? "-" : inline_text(proved_text(*proof)));
}

std::string markdown_row(const VariantReport& variant, const ReportContext& context) {
  std::string result(verdict(variant));
  if (is_known(variant)) result = "known: " + result;
  if (variant.verdict == Verdict::pass && variant.cases == 0) result = "no case ran";
  if (context.is_program) {
    return fmt::format("| {} | {} | {} | {} | {:.1f} s |\n", inline_text(variant.variant), result,
                       variant.cases, variant.findings.size(), variant.seconds);
  }
  const Measures measured = measures(variant);
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |{} {:.1f} s |\n",
                     inline_text(variant.variant), variant.device, result, variant.cases,
                     percent(measured.sensitivity), percent(measured.level_coverage),
                     variant.findings.size(), proved_cell(variant.variant, context),
                     variant.seconds);
}

std::string proof_table(const ReportContext& context) {
  std::string rows;
  for (const workflows::prove::VariantResult& proof : context.proofs) {
    rows += fmt::format("| {} |{} `{}` |\n", inline_text(proof.variant),
                        proved_cell(proof.variant, context), proof.ptx_hash);
  }
  return rows.empty() ? rows : "\n| variant | proved | PTX |\n|---|---|---|\n" + rows;
}

std::string markdown_table(const ReportContext& context, bool passed) {
  std::string rows;
  for (const VariantReport& variant : context.totals.variants) {
    if ((variant.verdict == Verdict::pass) == passed) rows += markdown_row(variant, context);
  }
  if (rows.empty()) return rows;
  if (context.is_program) {
    return "| kernel | verdict | runs | findings | time |\n|---|---|---:|---:|---:|\n" + rows;
  }
  const bool has_proofs = !context.proofs.empty();
  return fmt::format(
             "| variant | device | verdict | cases | sensitivity | level coverage | findings |{} "
             "time |\n|---|---|---|---:|---:|---:|---:|{}---:|\n",
             has_proofs ? " proved |" : "", has_proofs ? "---|" : "") +
         rows;
}

std::string details(const std::string& summary, const std::string& body) {
  return fmt::format("\n<details>\n<summary>{}</summary>\n\n{}\n</details>\n", summary, body);
}

std::string finding_details(const FindingReport& finding, const ReportContext& context) {
  const SourcePlace& source = finding.finding.source;
  const bool known = !finding.known.empty();
  std::string summary = fmt::format("<b>{}</b>: {}{}", inline_text(finding.variant),
                                    known ? "known: " : "", name(finding.finding.kind));
  if (source.line != 0) {
    summary += fmt::format(" at {}:{}", inline_text(shown_path(source.file)), source.line);
  }
  const std::string reason =
      known ? fmt::format("Known failure, accepted{}: {}\n\n",
                          finding.is_program() ? "" : " by the gate", inline_text(finding.known))
            : "";
  std::string body = reason + fenced(failure_block(finding, "", Paint(false)));
  const std::string replay = context.replay_of(finding);
  if (!replay.empty()) body += "\nTo replay:\n\n" + fenced(replay);
  return details(summary, body);
}

std::string findings_table(const ReportContext& context) {
  std::string text;
  std::int64_t left_out = 0;
  for (const VariantReport& variant : context.totals.variants) {
    for (const FindingReport& finding : variant.findings) {
      const std::string next = finding_details(finding, context);
      if (left_out != 0 || text.size() + next.size() > kMostBytes) {
        ++left_out;
      } else {
        text += next;
      }
    }
  }
  if (left_out != 0) {
    text += fmt::format("\n{} more in the other reports.\n", counted(left_out, "finding"));
  }
  return text;
}

std::string campaign_remarks(const ReportContext& context) {
  std::string text;
  if (const std::string stopped = stopped_text(context.totals.stopped); !stopped.empty()) {
    text += fmt::format("- {}: neither passed nor failed\n", stopped);
  }
  for (const std::string& form : blocking_forms(context.totals)) {
    text += fmt::format("- unsupported: {}\n", inline_text(form));
  }
  for (const VariantReport& variant : context.totals.variants) {
    if (const std::string reason = mistrust_text(variant); !reason.empty()) {
      text +=
          fmt::format("- {}: mistrusted: {}\n", inline_text(variant.variant), inline_text(reason));
    }
    for (const FindingReport& note : variant.notes) {
      text += fmt::format("- {}\n", inline_text(note_line(note)));
    }
  }
  for (const workflows::prove::VariantResult& proof : context.proofs) {
    for (const workflows::prove::PropertyResult& property : proof.properties) {
      if (property.status() == workflows::prove::Status::proved) continue;
      text += fmt::format("- {}\n", inline_text(open_text(proof.variant, property)));
    }
  }
  for (const workflows::history::Drift& drift : context.drifts) {
    text += fmt::format("- drift: {}: error over bound {:.2g}, {:.2g} in the campaign of {} UTC\n",
                        inline_text(drift.variant), drift.now.typical, drift.before.typical,
                        drift.since);
  }
  return text.empty() ? text : "\n" + text;
}

std::string open_errors(const ReportContext& context) {
  std::string text;
  if (const std::string& reason = context.totals.not_run; !reason.empty()) {
    text += fmt::format("\n**nothing was checked**: {}\n", inline_text(reason));
  }
  for (const contract::TargetError& error : context.totals.errors) {
    text += fmt::format("\n**not checked**: {}\n\n{}", inline_text(shown_path(error.target)),
                        fenced(error_text(error)));
  }
  return text;
}

/// Reasons for a verdict that differs from those of the variants.
std::string open_requirements(const ReportContext& context) {
  std::string text = open_errors(context);
  const auto open = context.requirements.open();
  if (!open.empty()) {
    const std::string& policy = context.requirements.policy;
    text += fmt::format("\n**{} not met**{}\n\n",
                        counted(static_cast<std::int64_t>(open.size()), "requirement"),
                        policy.empty() ? "" : " of " + inline_text(shown_path(policy)));
  }
  for (const Requirement* requirement : open) {
    text += fmt::format("- {}\n", inline_text(requirement->reason));
  }
  return text;
}

std::string without_contract(const ReportContext& context) {
  if (context.without_contract.empty()) return "";
  std::string files;
  for (const std::string& file : context.without_contract) {
    files += fmt::format("- {}\n", inline_text(shown_path(file)));
  }
  const auto count = static_cast<std::int64_t>(context.without_contract.size());
  return details(counted(count, "file") + " without a contract, not checked", files);
}

}  // namespace

std::string markdown(const ReportContext& context) {
  const campaign::CampaignReport& campaign = context.totals;
  const Totals all = totals(campaign, context.requirements);
  std::string_view outcome = all.known == 0 ? "passed" : "passed, except for known failures";
  if (outcome_of(campaign, context.requirements) != Outcome::passed) outcome = "not passed";
  if (context.is_proof) {
    return fmt::format("## warpcheck prove: {}\n\n{}\n", outcome, proof_totals(context.proofs)) +
           open_errors(context) + proof_table(context) + findings_table(context) +
           campaign_remarks(context);
  }
  std::string text =
      context.is_program
          ? fmt::format("## warpcheck exec: {}\n\n{} in {:.1f} s: {}\n", outcome,
                        inline_text(context.run.command), campaign.seconds, all.text())
          : fmt::format("## warpcheck: {}\n\n{}, {} in {:.1f} s: {}\n", outcome,
                        counted(static_cast<std::int64_t>(campaign.variants.size()), "variant"),
                        counted(campaign.cases, "case"), campaign.seconds, all.text());
  text += open_requirements(context);
  if (const std::string rows = markdown_table(context, false); !rows.empty()) text += "\n" + rows;
  text += findings_table(context);
  if (const std::string rows = markdown_table(context, true); !rows.empty()) {
    text += details(counted(all.passed, context.is_program ? "row" : "variant") + " passed", rows);
  }
  return text + without_contract(context) + campaign_remarks(context);
}

}  // namespace warpcheck::report
