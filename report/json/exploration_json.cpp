#include "report/json/exploration_json.hpp"

#include <nlohmann/json.hpp>

#include "report/finding/message.hpp"
#include "report/path.hpp"

namespace warpcheck::report {
namespace {

using Json = nlohmann::ordered_json;
using workflows::explore::Exploration;
using workflows::explore::FailingCase;

Json failing_json(const FailingCase& failing) {
  return {{"case", to_line(failing.problem)},
          {"class", name(failing.finding.kind)},
          {"message", message_text(failing.finding)},
          {"file", relative_path(failing.finding.source.file)},
          {"line", failing.finding.source.line}};
}

Json declared_json(const workflows::explore::DeclaredDomain& declared) {
  return {{"requires", declared.conditions},
          {"too_weak", declared.too_weak ? failing_json(*declared.too_weak) : Json()},
          {"needless", declared.needless},
          {"unexamined", declared.unexamined}};
}

}  // namespace

std::string exploration_json(const Exploration& exploration) {
  Json event = {{"event", "exploration"},
                {"variant", exploration.variant},
                {"correct", name(exploration.correct)},
                {"requires", exploration.requirements()},
                {"conditions", Json::array()},
                {"exceptions", Json::array()},
                {"counterexamples", Json::array()},
                {"unsupported", Json::array()},
                {"passes_outside", Json()},
                {"remaining", Json::array()},
                {"declared", declared_json(exploration.declared)},
                {"passing_share", exploration.share},
                {"inside", exploration.inside},
                {"cases", exploration.cases},
                {"max_size", exploration.max_size},
                {"seed", exploration.seed},
                {"seconds", exploration.seconds}};
  for (const auto& condition : exploration.conditions) {
    event["conditions"].push_back(
        {{"text", condition.text},
         {"failed", condition.failed},
         {"passed", condition.passed},
         {"classes", condition.classes},
         {"smallest", condition.smallest ? failing_json(*condition.smallest) : Json()}});
  }
  for (const auto& exception : exploration.exceptions) {
    event["exceptions"].push_back(
        {{"text", exception.text}, {"passed", exception.passed}, {"cases", exception.cases}});
  }
  for (const FailingCase& failing : exploration.counterexamples) {
    event["counterexamples"].push_back(failing_json(failing));
  }
  for (const auto& form : exploration.unsupported) {
    event["unsupported"].push_back(form.what.form);
  }
  if (exploration.passes_outside) event["passes_outside"] = to_line(*exploration.passes_outside);
  for (const auto& found : exploration.remaining) {
    event["remaining"].push_back({{"property", found.property},
                                  {"class", name(found.finding.kind)},
                                  {"case", to_line(found.original)},
                                  {"file", relative_path(found.finding.source.file)},
                                  {"line", found.finding.source.line}});
  }
  return event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpcheck::report
