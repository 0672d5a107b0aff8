#include "report/json/interruption_json.hpp"

#include "report/json/requirement_json.hpp"

namespace warpcheck::report {

std::string interruption_json(const Requirements& requirements) {
  return gate_json({}, requirements)
             .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace warpcheck::report
