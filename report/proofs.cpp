#include "report/proofs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <vector>

#include "report/finding/message.hpp"
#include "report/path.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {

using workflows::prove::PropertyResult;
using workflows::prove::Status;
using workflows::prove::VariantResult;

std::string proved_text(const VariantResult& result) {
  std::string open;
  for (const PropertyResult& property : result.properties) {
    if (property.status() == Status::proved) continue;
    open += fmt::format("{} {}", open.empty() ? ", not" : ",", name(property.proof.property));
  }
  return fmt::format("{} of {}{}", result.count(Status::proved), result.properties.size(), open);
}

std::string line_text(const Location& where) {
  if (where.file.empty() || where.line == 0) return "";
  return fmt::format("{}:{}: ", shown_path(where.file), where.line);
}

std::string sufficient_text(const PropertyResult& property) {
  const std::vector<std::string>& conditions = property.proof.sufficient;
  if (conditions.empty()) return "";
  return fmt::format("proved with requires = [\"{}\"]", fmt::join(conditions, "\", \""));
}

std::string open_reason(const PropertyResult& property) {
  const std::string sufficient = sufficient_text(property);
  const std::string help = sufficient.empty() ? "" : "; " + sufficient;
  if (!property.refutation) return line_text(property.proof.where) + property.proof.reason + help;
  const Finding& finding = property.refutation->finding;
  return fmt::format("{}{}: {}{}", line_text({finding.source.file, finding.source.line, 0}),
                     name(finding.kind), message_text(finding), help);
}

std::string open_reasons(const VariantResult& result) {
  std::string text;
  for (std::size_t i = 0; i < result.properties.size(); ++i) {
    const PropertyResult& property = result.properties[i];
    if (property.status() == Status::proved) continue;
    const bool has_same_reason = i + 1 < result.properties.size() &&
                                 result.properties[i + 1].status() == property.status() &&
                                 open_reason(result.properties[i + 1]) == open_reason(property);
    text += name(property.proof.property);
    text += has_same_reason
                ? ", "
                : fmt::format(" {}: {}; ", name(property.status()), open_reason(property));
  }
  if (text.ends_with("; ")) text.resize(text.size() - 2);
  return text;
}

std::string open_text(std::string_view variant, const PropertyResult& property) {
  return fmt::format("{}: {} {}: {}", variant, name(property.proof.property),
                     name(property.status()), open_reason(property));
}

std::string proof_totals(std::span<const VariantResult> results) {
  std::size_t properties = 0;
  std::size_t proved = 0;
  std::size_t refuted = 0;
  for (const VariantResult& result : results) {
    properties += result.properties.size();
    proved += result.count(Status::proved);
    refuted += result.count(Status::refuted);
  }
  return fmt::format("{} of {}: {} proved, {} refuted, {} unknown",
                     properties == 1 ? "1 property" : fmt::format("{} properties", properties),
                     counted(static_cast<std::int64_t>(results.size()), "variant"), proved, refuted,
                     properties - proved - refuted);
}

}  // namespace warpcheck::report
