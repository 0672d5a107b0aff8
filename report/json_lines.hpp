// The report that other programs read: one JSON object a line, written as it happens.
//   {"event":"finding", variant, device, class, case, smallest, file, line, message}
//   {"event":"variant", variant, device, verdict, cases, asked, power, seconds}
//   {"event":"summary", variants, failed, mistrusted, cases, seconds}
#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "report/report.hpp"

namespace warpcheck::report {

class JsonLines final : public Report {
 public:
  explicit JsonLines(std::unique_ptr<std::ostream> out) : out_(std::move(out)) {}

  /// Throws InputError where the file cannot be written.
  [[nodiscard]] static std::unique_ptr<JsonLines> to_file(const std::string& path);

  void found(const properties::FindingReport& finding) override;
  void finished(const properties::VariantReport& variant) override;
  void summary(const properties::CampaignReport& totals) override;

 private:
  std::unique_ptr<std::ostream> out_;
};

}  // namespace warpcheck::report
