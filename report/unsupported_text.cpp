#include "report/unsupported_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "report/call_stack_text.hpp"
#include "report/finding/message.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

using campaign::UnsupportedForm;
using campaign::VariantReport;

constexpr std::size_t kMostBlockedNames = 4;

std::string unsupported_field(const Paint& paint, std::string_view name, const std::string& value) {
  if (value.empty()) return value;
  return fmt::format("  {} {}\n", paint(Ink::faint, fmt::format("{:<10}", name)), value);
}

struct BlockingForm {
  std::string text;
  std::vector<std::string_view> variants;  // distinct variants
};

std::string blocking_text(const BlockingForm& form) {
  std::vector<std::string_view> names = form.variants;
  const std::size_t more = names.size() - std::min(names.size(), kMostBlockedNames);
  names.resize(names.size() - more);
  return fmt::format("{} blocks {}: {}{}", form.text,
                     counted(static_cast<std::int64_t>(form.variants.size()), "variant"),
                     fmt::join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace

std::string form_text(const device::Unsupported& what) {
  return printable(what.form) +
         (what.section.empty() ? "" : fmt::format(" (PTX ISA {})", what.section));
}

std::string unsupported_forms(std::string_view device, const std::vector<UnsupportedForm>& forms) {
  std::string text = fmt::format("unsupported on the {} device: ", device);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : "; ", form_text(forms[i].what));
    const SourcePlace& place = forms[i].what.source;
    if (place.line != 0 || place.ptx_line != 0) text += " at " + place_text(place);
  }
  return text;
}

std::string unsupported_block(std::string_view variant, std::string_view device,
                              const UnsupportedForm& form, const std::string& replay_command,
                              const Paint& paint) {
  const device::Unsupported& what = form.what;
  std::string text =
      fmt::format("{} {} on the {} device\n", paint(Ink::bold, fmt::format("{}:", variant)),
                  paint(Ink::yellow, "unsupported"), device);
  text += fmt::format("  {}: {}\n", form_text(what), printable(reason_text(what)));
  if (form.is_program()) return text + stacks_text(form.stacks, paint);
  text += unsupported_field(paint, "case", to_line(form.problem));
  text += fmt::format("  {} {}\n", paint(Ink::faint, "-->"), place_text(what.source));
  text += unsupported_field(paint, "executing", printable(what.source.instruction));
  text += unsupported_field(paint, "reached", fmt::format("in {}", counted(form.cases, "case")));
  text += unsupported_field(paint, "replay", replay_command);
  return text +
         "  This does not show that the kernel is wrong: check it on a GPU, with --device cuda.\n";
}

std::vector<std::string> blocking_forms(const campaign::CampaignReport& campaign) {
  std::vector<BlockingForm> all;
  for (const VariantReport& variant : campaign.variants) {
    for (const UnsupportedForm& form : variant.unsupported) {
      std::string text = form_text(form.what);
      auto found = std::find_if(all.begin(), all.end(),
                                [&](const BlockingForm& other) { return other.text == text; });
      if (found == all.end()) found = all.insert(all.end(), {std::move(text), {}});
      const bool is_new = found->variants.empty() || found->variants.back() != variant.variant;
      if (is_new) found->variants.push_back(variant.variant);
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const BlockingForm& one, const BlockingForm& other) {
    return one.variants.size() > other.variants.size();
  });
  std::vector<std::string> texts;
  for (const BlockingForm& form : all) texts.push_back(blocking_text(form));
  return texts;
}

}  // namespace warpcheck::report
