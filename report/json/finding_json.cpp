#include "report/json/finding_json.hpp"

#include "report/finding/help.hpp"
#include "report/path.hpp"

namespace warpcheck::report {

nlohmann::ordered_json finding_json(std::string_view event_kind,
                                    const properties::campaign::FindingReport& report) {
  const Finding& finding = report.finding;
  nlohmann::ordered_json event = {{"event", event_kind},
                                  {"variant", report.variant},
                                  {"device", report.device},
                                  {"class", name(finding.kind)},
                                  {"case", to_line(report.original)},
                                  {"smallest", to_line(report.smallest)},
                                  {"file", relative_path(finding.source.file)},
                                  {"line", finding.source.line},
                                  {"message", finding.message}};
  for (const CallSite& call : finding.source.calls) {
    event["called_from"].push_back({{"file", relative_path(call.file)}, {"line", call.line}});
  }
  if (finding.other) {
    event["other_file"] = relative_path(finding.other->source.file);
    event["other_line"] = finding.other->source.line;
    event["count"] = finding.count;
  }
  if (const std::string advice = advice_text(report.advice); !advice.empty()) {
    event["advice"] = advice;
  }
  if (report.more_cases != 0) event["more_cases"] = report.more_cases;
  if (finding.grade == Grade::same_value) event["benign"] = true;
  if (finding.grade != Grade::failure) event["grade"] = name(finding.grade);
  if (!report.known.empty()) event["known"] = report.known;
  if (!report.regression.empty()) event["regression"] = report.regression;
  return event;
}

nlohmann::ordered_json unsupported_json(std::string_view variant, std::string_view device,
                                        const properties::campaign::UnsupportedForm& form) {
  const SourcePlace& source = form.what.source;
  return {{"event", "unsupported"},
          {"variant", variant},
          {"device", device},
          {"form", form.what.form},
          {"message", form.what.reason},
          {"section", form.what.section},
          {"case", to_line(form.problem)},
          {"cases", form.cases},
          {"file", relative_path(source.file)},
          {"line", source.line},
          {"ptx_line", source.ptx_line},
          {"instruction", source.instruction}};
}

}  // namespace warpcheck::report
