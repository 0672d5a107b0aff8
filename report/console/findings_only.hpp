// Forwards only failures, errors and progress to another report.
#pragma once

#include <memory>
#include <utility>

#include "report/report.hpp"

namespace warpcheck::report {

class FindingsOnly final : public Report {
 public:
  explicit FindingsOnly(std::unique_ptr<Report> report) : report_(std::move(report)) {}

  void found(const campaign::FindingReport& finding) override {
    if (finding.known.empty()) report_->found(finding);
  }
  void not_checked(const contract::TargetError& error) override { report_->not_checked(error); }
  void progress(const campaign::Progress& progress) override { report_->progress(progress); }
  void launching(const campaign::Case& problem) override { report_->launching(problem); }

 private:
  std::unique_ptr<Report> report_;
};

}  // namespace warpcheck::report
