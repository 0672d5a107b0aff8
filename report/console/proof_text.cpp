#include "report/console/proof_text.hpp"

#include <fmt/format.h>

#include "report/path.hpp"

namespace warpcheck::report {
namespace {

using workflows::prove::PropertyResult;
using workflows::prove::Status;

std::string place_text(const std::string& file, unsigned line) {
  if (file.empty() || line == 0) return "";
  return fmt::format("{}:{}: ", relative_path(file), line);
}

/// The reason of an unknown property is printed below the first property that has it.
std::string property_text(const PropertyResult& property, std::string_view reason_above) {
  const proof::PropertyProof& proof = property.proof;
  std::string text = fmt::format("  {:<13} {:<8} {:6.1f} s\n", name(proof.property),
                                 name(property.status()), proof.seconds);
  if (property.status() == Status::unknown && proof.reason != reason_above) {
    text += fmt::format("    {}{}\n", place_text(proof.where.file, proof.where.line), proof.reason);
  }
  if (property.status() == Status::refuted) {
    const auto& [problem, finding] = *property.refutation;
    text +=
        fmt::format("    {}{}: {}\n    {}\n", place_text(finding.source.file, finding.source.line),
                    name(finding.kind), finding.message, to_line(problem));
  }
  return text;
}

}  // namespace

std::string proof_text(const workflows::prove::VariantResult& result) {
  std::string text = fmt::format("{}: PTX {}\n", result.variant, result.ptx_hash);
  std::string_view reason;
  for (const PropertyResult& property : result.properties) {
    text += property_text(property, reason);
    reason = property.proof.reason;
  }
  return text;
}

}  // namespace warpcheck::report
