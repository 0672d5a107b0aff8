#include "report/html/proofs.hpp"

#include <fmt/format.h>

#include "report/html/contents.hpp"
#include "report/html/markup.hpp"
#include "report/path.hpp"
#include "report/proofs.hpp"
#include "report/requirements/error_text.hpp"
#include "report/verdict.hpp"

namespace warpcheck::report::html {
namespace {

/// The colour of the banner.
std::string_view banner_class(const ReportContext& context) {
  switch (outcome_of(context.totals, context.requirements)) {
    case Outcome::passed:
      return "passed";
    case Outcome::undecided:
      return "unsupported";
    default:
      return "failed";
  }
}

}  // namespace

std::string proof_list(const ReportContext& context, std::string_view variant) {
  const workflows::prove::VariantResult* const proof = context.proof_of(variant);
  if (proof == nullptr) return "";
  std::string items;
  for (const workflows::prove::PropertyResult& property : proof->properties) {
    const bool is_proved = property.status() == workflows::prove::Status::proved;
    items += fmt::format("<li>{} {}: {}</li>", element("code", "", name(property.proof.property)),
                         name(property.status()),
                         escaped(is_proved ? std::string(statement(property.proof.property))
                                           : open_reason(property)));
  }
  return fmt::format("<p>Proofs for every case of the contract, from the PTX {}:</p><ul>{}</ul>\n",
                     element("code", "", proof->ptx_hash), items);
}

std::string proof_overview(const ReportContext& context) {
  std::string errors;
  for (const contract::TargetError& error : context.totals.errors) {
    errors +=
        fmt::format("<p><strong>not checked</strong> {}</p><pre>{}</pre>\n",
                    element("code", "", shown_path(error.target)), escaped(error_text(error)));
  }
  std::string variants;
  for (const workflows::prove::VariantResult& proof : context.proofs) {
    variants +=
        fmt::format("<h3>{}</h3>\n{}", escaped(proof.variant), proof_list(context, proof.variant));
  }
  return fmt::format(
      "<section class=\"verdict {}\"><h1>{}</h1>\n<p>{}</p>\n{}{}</section>\n"
      "<section aria-labelledby=kernels><h2 id=kernels>Kernels</h2>\n{}</section>\n",
      banner_class(context), escaped(proof_totals(context.proofs)), escaped(proof::theorem()),
      errors, findings_list(context), variants);
}

}  // namespace warpcheck::report::html
