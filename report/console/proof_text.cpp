#include "report/console/proof_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/finding/message.hpp"
#include "report/finding/wrapped.hpp"
#include "report/path.hpp"
#include "report/proofs.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using campaign::run::Excerpt;
using workflows::prove::PropertyResult;
using workflows::prove::Status;

constexpr std::string_view kIndent = "    ";
constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kMostPlaces = 8;  // further places of a property that are printed

std::string indented(std::string_view text, std::size_t columns) {
  const std::size_t width = std::max(columns, kNarrowest) - kIndent.size();
  std::string all;
  for (const std::string& line : wrapped(printable(text), width, width)) {
    all += fmt::format("{}{}\n", kIndent, line);
  }
  return all;
}

/// The place, its source line, and a caret below its column.
std::string place_block(const Location& where, const Excerpt& excerpt) {
  if (where.line == 0) return "";
  std::string text = fmt::format("{}--> {}:{}\n", kIndent, shown_path(where.file), where.line);
  if (where.line < excerpt.first_line || where.line >= excerpt.first_line + excerpt.lines.size()) {
    return text;
  }
  const std::string& line = excerpt.lines[where.line - excerpt.first_line];
  text += fmt::format("{}> {:>4} | {}\n", kIndent, where.line, printable(line));
  if (where.column == 0 || where.column > line.size()) return text;
  std::string before = line.substr(0, where.column - 1);
  std::ranges::replace_if(
      before, [](char c) { return c != '\t'; }, ' ');
  return text + fmt::format("{}       | {}^\n", kIndent, before);
}

std::string open_block(const PropertyResult& property, const ProofStyle& style) {
  if (property.refutation) {
    const Finding& finding = property.refutation->finding;
    const Location where = {finding.source.file, finding.source.line, finding.source.column};
    return indented(fmt::format("{}: {}", name(finding.kind), message_text(finding)),
                    style.columns) +
           place_block(where, property.refutation->excerpt) +
           fmt::format("{}{}\n", kIndent, style.replay_command(property.refutation->smallest));
  }
  const proof::PropertyProof& proof = property.proof;
  std::string text =
      indented(proof.reason, style.columns) + place_block(proof.where, property.excerpt);
  const std::size_t shown = std::min(proof.more.size(), kMostPlaces);
  for (std::size_t i = 0; i < shown; ++i) {
    text +=
        indented("also " + line_text(proof.more[i].where) + proof.more[i].reason, style.columns);
  }
  if (proof.more.size() > shown) {
    text += fmt::format("{}and {} more\n", kIndent,
                        counted(static_cast<std::int64_t>(proof.more.size() - shown), "place"));
  }
  return text;
}

}  // namespace

std::string proof_text(const workflows::prove::VariantResult& result, const ProofStyle& style) {
  if (style.quiet && result.count(Status::proved) == result.properties.size()) return "";
  std::string text = fmt::format("{}: PTX {}\n", result.variant, result.ptx_hash);
  for (const PropertyResult& property : result.properties) {
    const Status status = property.status();
    if (style.quiet && status == Status::proved) continue;
    text +=
        fmt::format("  {:<13} {:<8} {:>8}\n", name(property.proof.property), name(status),
                    result.is_cached ? "cached" : fmt::format("{:.1f} s", property.proof.seconds));
    if (status == Status::proved) continue;
    text += open_block(property, style);
    if (const std::string help = sufficient_text(property); !help.empty()) {
      text += indented("help: " + help, style.columns);
    }
  }
  return text;
}

std::string proof_summary(std::span<const workflows::prove::VariantResult> results,
                          const ProofStyle& style) {
  std::string text = fmt::format("\n{}\n", proof_totals(results));
  for (const std::string& line : wrapped(proof::theorem(), style.columns, style.columns)) {
    text += line + "\n";
  }
  return text;
}

}  // namespace warpcheck::report
