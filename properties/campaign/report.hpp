// Results of one campaign: findings, and totals per variant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/share.hpp"
#include "device/finding.hpp"
#include "properties/campaign/case_histogram.hpp"
#include "properties/case/case.hpp"
#include "properties/coverage/source_coverage.hpp"
#include "properties/judge/diagnosis.hpp"
#include "properties/judge/error_map.hpp"
#include "properties/judge/mismatch.hpp"
#include "properties/run/source.hpp"

namespace warpcheck::properties::campaign {

enum class Verdict { pass, finding, mistrusted };
[[nodiscard]] std::string_view name(Verdict verdict);

/// A finding as a person wants it: what, where, on which smallest case, how sure.
struct FindingReport {
  std::string variant;
  std::string device;
  std::string property;  // the statement that does not hold
  Finding finding;       // on the smallest case
  std::string element;   // the memory place in terms of the layout: "A[65, 3]: row 65 of
                         // 65 rows"; empty where the finding has none
  std::optional<judge::Mismatch> mismatch;  // of wrong-result
  judge::Diagnosis diagnosis;               // of the wrong elements
  std::string known;                        // why it fails no gate for now; empty: it does
  std::string regression;  // where the case is kept that showed it; empty: it was drawn
  std::string printed;     // what the kernel printed on the smallest case
  run::Excerpt excerpt;
  Case original;  // as drawn
  Case smallest;  // after shrinking; the original where it was not shrunk
  std::optional<judge::ErrorMap>
      map;  // of findings about values, where CampaignOptions::map_errors:
            // of the original case, or one like it but larger
  std::int64_t shrink_launches = 0;
  unsigned confirmed = 0;      // runs of the smallest case that showed the class again ...
  unsigned confirmations = 0;  // ... out of so many; fewer: the finding is flaky

  [[nodiscard]] bool flaky() const { return confirmed < confirmations; }
};

/// Of the cases drawn without regard to `requires`: how many it allows, and what excluded the
/// others.
struct DomainAcceptance {
  std::int64_t drawn = 0;
  std::int64_t inside = 0;
  std::string excluded_by;  // the conjunct of `requires` that failed most often; empty: none did

  [[nodiscard]] double share() const {
    return drawn == 0 ? 1.0 : static_cast<double>(inside) / static_cast<double>(drawn);
  }
};

struct VariantReport {
  std::string variant;
  std::string device;
  Verdict verdict = Verdict::pass;
  std::int64_t cases = 0;  // judged, up to and with the last one whose finding ended the variant
  std::int64_t mistrusted = 0;  // of them: passed, but the data could not have shown a defect
  DomainAcceptance acceptance;  // of a search: none was drawn
  // Share of the terms whose loss would have been seen for certain, the mean over the cases but
  // one-hot ones, which show addresses; empty: not measured, as of a search.
  std::optional<double> sensitivity;
  // Met by the cases, of the combinations of a case's factors that the domain holds, as far as is
  // known.
  Share pair_coverage;    // of two factors
  Share triple_coverage;  // of three
  Histogram histogram;    // of the cases that are counted
  double seconds = 0.0;
  std::vector<FindingReport> findings;
  std::vector<FindingReport> notes;  // told, but no failure: benign races, on the first case that
                                     // showed them, one per pair of lines
  // Of the source by the cases; empty where nobody asked, where the device cannot tell, and where
  // no launch completed. Launches that end in a fault count for nothing.
  std::optional<coverage::SourceCoverage> coverage;
};

struct CampaignReport {
  std::vector<VariantReport> variants;
  std::int64_t failed = 0;      // variants with findings
  std::int64_t mistrusted = 0;  // variants
  std::int64_t cases = 0;
  double seconds = 0.0;

  /// Counts a variant in; the seconds are the caller's.
  void add(VariantReport variant);
};

}  // namespace warpcheck::properties::campaign
