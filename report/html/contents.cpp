#include "report/html/contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "report/cause/cause.hpp"
#include "report/html/headline.hpp"
#include "report/html/markup.hpp"
#include "report/html/source.hpp"
#include "report/verdict.hpp"
#include "report/wording.hpp"

namespace warpcheck::report::html {
namespace {

using campaign::CampaignReport;
using campaign::FindingReport;
using campaign::VariantReport;

struct Entry {
  const FindingReport* finding = nullptr;
  std::size_t number = 0;  // number of the finding on the page
};

/// The findings of one file.
struct Group {
  std::string file;
  std::vector<Entry> entries;
};

std::vector<Group> groups_by_file(const ReportContext& context) {
  std::vector<Group> groups;
  std::size_t number = 0;
  for (const VariantReport& variant : context.totals.variants) {
    for (const FindingReport& finding : variant.findings) {
      const std::string file = source_name(place_of(finding, context).file);
      auto group = std::find_if(groups.begin(), groups.end(),
                                [&](const Group& one) { return one.file == file; });
      if (group == groups.end()) group = groups.insert(group, {file, {}});
      group->entries.push_back({&finding, ++number});
    }
  }
  for (Group& group : groups) {
    std::stable_sort(group.entries.begin(), group.entries.end(),
                     [](const Entry& one, const Entry& other) {
                       return one.finding->finding.kind < other.finding->finding.kind;
                     });
  }
  return groups;
}

std::string list_item(const Entry& entry) {
  const FindingReport& finding = *entry.finding;
  return fmt::format(
      "<li value={0} data-finding={0} data-class={1} data-verdict={2} data-text=\"{3}\">"
      "<a href=\"#finding-{0}\">{4} {5}</a></li>\n",
      entry.number, name(finding.finding.kind), finding.known.empty() ? "finding" : "known",
      escaped(finding.variant + " " + finding.device), class_label(finding), headline(finding));
}

std::string list_of(const std::vector<Entry>& entries) {
  std::string items;
  for (const Entry& entry : entries) items += list_item(entry);
  return "<ol class=contents>\n" + items + "</ol>";
}

std::string choice(std::string_view id, std::string_view label,
                   const std::set<std::string_view>& words) {
  std::string options = "<option value=\"\">all</option>";
  for (const std::string_view word : words) options += fmt::format("<option>{}</option>", word);
  return fmt::format("<span><label for={0}>{1}</label> <select id={0}>{2}</select></span> ", id,
                     label, options);
}

}  // namespace

std::size_t number_of_findings(const CampaignReport& campaign) {
  std::size_t number = 0;
  for (const VariantReport& variant : campaign.variants) number += variant.findings.size();
  return number;
}

std::string_view verdict_word(const VariantReport& variant) {
  return is_known(variant) ? "known" : name(variant.verdict);
}

std::string filters(const CampaignReport& campaign) {
  const bool many = number_of_findings(campaign) > kMostUngrouped;
  std::set<std::string_view> classes;
  std::set<std::string_view> verdicts;
  for (const VariantReport& variant : campaign.variants) {
    verdicts.insert(verdict_word(variant));
    for (const FindingReport& finding : variant.findings) {
      classes.insert(name(finding.finding.kind));
      verdicts.insert(finding.known.empty() ? "finding" : "known");
    }
  }
  return fmt::format(
      "<p class=filter hidden><label for=filter>Show {} whose name, verdict or device has</label> "
      "<input id=filter type=search autocomplete=off spellcheck=false> {}</p>\n",
      many ? "findings and kernels" : "kernels",
      many ? choice("filter-class", "Class", classes) +
                 choice("filter-verdict", "Verdict", verdicts) + "<span id=filter-count></span>"
           : "");
}

std::string findings_list(const ReportContext& context) {
  const std::size_t all = number_of_findings(context.totals);
  if (all == 0) return "";
  std::string text;
  if (all <= kMostUngrouped) {
    std::vector<Entry> entries;
    for (const VariantReport& variant : context.totals.variants) {
      for (const FindingReport& finding : variant.findings) {
        entries.push_back({&finding, entries.size() + 1});
      }
    }
    text = list_of(entries);
  } else {
    text = filters(context.totals);
    for (const Group& group : groups_by_file(context)) {
      text += fmt::format("<section class=group><h2>{} <span>{}</span></h2>\n{}</section>\n",
                          group.file.empty() ? "Without a file" : element("code", "", group.file),
                          counted(static_cast<std::int64_t>(group.entries.size()), "finding"),
                          list_of(group.entries));
    }
  }
  return fmt::format("<nav aria-label=\"Findings\">{}</nav>\n", text);
}

}  // namespace warpcheck::report::html
