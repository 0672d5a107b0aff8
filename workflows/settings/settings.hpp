// The values of the options in the table.
#pragma once

#include <string>

#include "campaign/options.hpp"
#include "device/virtual/virtual_device.hpp"
#include "workflows/coverage/minimum_coverage.hpp"

namespace warpcheck::workflows::settings {

struct Settings {
  std::string device = "auto";            // "auto", "virtual" or "cuda"
  device::VirtualOptions virtual_device;  // the number of threads is that of `campaign`
  campaign::CampaignOptions campaign;
  coverage::MinimumCoverage min_coverage;
  bool keep = false;           // save failing cases as regressions
  std::string regressions;     // folder of the regressions; empty: see workflows/regressions
  std::string history;         // history file; empty: none
  bool resume = false;         // continue the history's unfinished campaign
  bool fail_on_drift = false;  // a variant with markedly larger errors than before fails
  bool allow_empty = false;    // a shard without a case passes
  bool prove = false;          // prove all properties before the campaign
  bool no_cache = false;       // prove again what is in the cache
  std::string json;            // files of the reports; empty: none
  std::string junit;
  std::string sarif;
  std::string gitlab;
  std::string html;
  std::string markdown;  // the report is appended to this file
  std::string lcov;
  bool quiet = false;    // print only what did not pass, and the totals
  bool verbose = false;  // print each case line before its launch
};

}  // namespace warpcheck::workflows::settings
