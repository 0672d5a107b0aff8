// Texts about instructions that a device could not execute.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/report.hpp"
#include "report/paint.hpp"

namespace warpcheck::report {

/// "wgmma.fence.sync.aligned (PTX ISA 9.7.15)"; without the section if it is not known.
[[nodiscard]] std::string form_text(const device::Unsupported& what);

/// "unsupported on the virtual device: wgmma.fence.sync.aligned (PTX ISA 9.7.15) at mine.cu:12";
/// several forms are separated by "; ".
[[nodiscard]] std::string unsupported_forms(std::string_view device,
                                            const std::vector<campaign::UnsupportedForm>& forms);

/// One block on the terminal, with the first case that reached the form. An empty `replay_command`
/// adds no line.
[[nodiscard]] std::string unsupported_block(std::string_view variant, std::string_view device,
                                            const campaign::UnsupportedForm& form,
                                            const std::string& replay_command, const Paint& paint);

/// Returns, for each form, the number of variants of the campaign that it blocks, the most first:
/// "wgmma.fence.sync.aligned (PTX ISA 9.7.15) blocks 2 variants: one, other".
[[nodiscard]] std::vector<std::string> blocking_forms(const campaign::CampaignReport& campaign);

}  // namespace warpcheck::report
