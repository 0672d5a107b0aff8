// Many cases of many properties over many variants, within a budget; and one case, replayed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "device/finding.hpp"
#include "kernels/contract/variant.hpp"
#include "properties/case.hpp"
#include "properties/error_map.hpp"
#include "properties/shard.hpp"
#include "properties/share.hpp"
#include "properties/source_coverage.hpp"
#include "properties/spread.hpp"

namespace warpcheck::properties {

/// A case that failed before.
struct Regression {
  Case problem;       // as its property needs it
  std::string where;  // it is kept: "regressions/mine.cases:4"
};
using Regressions = std::map<std::string, std::vector<Regression>>;  // by variant

struct CampaignOptions {
  std::int64_t cases = 100;     // per variant
  double budget_seconds = 0.0;  // of the whole campaign; 0: none. Where it ends a campaign, the
                                // number of cases depends on the machine, their contents don't
  std::int64_t max_size = 0;    // of m, n and k, where the domain allows it; 0: none
  std::uint64_t seed = 0;
  std::vector<std::string> properties;  // names, as properties() lists them; empty: all
  unsigned jobs = 0;                    // host threads; 0: one per processor
  bool shrink = true;
  double shrink_seconds = 10.0;        // per finding
  std::int64_t shrink_launches = 400;  // per finding
  bool strict_races = false;           // benign races are findings, not notes
  bool map_errors = false;             // findings about values get a map; their cases run again
  Shard shard;                         // of the cases
  Regressions regressions;             // asked first, by the first shard
  // Whether a finding is awaited: told like any other, but a variant's campaign goes on as if there
  // were none. Null: none is.
  std::function<bool(std::string_view variant, std::string_view property, const Finding&)> awaited;
  // Of the source. What a journal has of cases tells nothing of it: a campaign that is resumed
  // covers too little.
  bool coverage = false;
};

enum class Verdict { pass, finding, mistrusted };
[[nodiscard]] std::string_view name(Verdict verdict);

/// The element of D that shows a wrong result best.
struct Mismatch {
  std::int64_t row = 0;
  std::int64_t column = 0;
  double got = 0.0;
  double expected = 0.0;
  double tolerance = 0.0;     // absolute; 0: equality was demanded
  std::int64_t wrong = 0;     // wrong elements, this one included
  std::int64_t elements = 0;  // of D
};

/// Lines of a source file around the place of a finding; no lines where the source is not known.
struct Excerpt {
  std::string file;
  unsigned line = 0;        // of the place
  unsigned first_line = 0;  // of lines[0]
  std::vector<std::string> lines;
};

/// A finding as a person wants it: what, where, on which smallest case, how sure.
struct FindingReport {
  std::string variant;
  std::string device;
  std::string property;  // the statement that does not hold
  Finding finding;       // on the smallest case
  std::string element;   // the memory place in terms of the layout: "A[65, 3]: row 65 of
                         // 65 rows"; empty where the finding has none
  std::optional<Mismatch> mismatch;  // of wrong-result
  std::string diagnosis;             // what the pattern of wrong elements tells; may be empty
  std::string known;                 // why it fails no gate for now; empty: it does
  std::string regression;            // where the case is kept that showed it; empty: it was drawn
  std::string printed;               // what the kernel printed on the smallest case
  Excerpt excerpt;
  Case original;                // as drawn
  Case smallest;                // after shrinking; the original where it was not shrunk
  std::optional<ErrorMap> map;  // of findings about values, where CampaignOptions::map_errors:
                                // of the original case, or one like it but larger
  std::int64_t shrink_launches = 0;
  unsigned confirmed = 0;      // runs of the smallest case that showed the class again ...
  unsigned confirmations = 0;  // ... out of so many; fewer: the finding is flaky

  [[nodiscard]] bool flaky() const { return confirmed < confirmations; }
};

/// Of the cases drawn without regard to `requires`: how many it allows, and what excluded the
/// others.
struct Asked {
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
  Asked asked;                  // of a search: none was drawn
  // Share of the terms whose loss would have been seen for certain, the mean over the cases but
  // one-hot ones, which show addresses; empty: not measured, as of a search.
  std::optional<double> power;
  // Met by the cases, of the combinations of a case's factors that the domain holds, as far as is
  // known.
  Share pairs;    // of two factors
  Share triples;  // of three
  Spread spread;  // of the cases that are counted
  double seconds = 0.0;
  std::vector<FindingReport> findings;
  std::vector<FindingReport> notes;  // told, but no failure: benign races, on the first case that
                                     // showed them, one per pair of lines
  // Of the source by the cases; empty where nobody asked, where the device cannot tell, and where
  // no launch completed. Launches that end in a fault count for nothing.
  std::optional<SourceCoverage> coverage;
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

struct Progress {
  std::string_view variant;
  std::size_t index = 0;  // of the variant, from 0
  std::size_t variants = 0;
  std::int64_t cases = 0;  // done of this variant
  std::int64_t planned = 0;
  std::size_t findings = 0;   // of this variant, so far
  double seconds = 0.0;       // since the campaign began
  std::string_view activity;  // "checking", "shrinking"
};

struct FuzzProgress;  // see fuzz/fuzzer.hpp
struct FuzzReport;

/// Hears of a campaign. started, found, noted and finished come in the order of the variants and,
/// times aside, do not depend on the number of threads. Never called from two threads at once.
class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  virtual void started(const kernels::Variant& /*variant*/) {}
  virtual void found(const FindingReport& /*report*/) {}
  virtual void noted(const FindingReport& /*report*/) {}
  virtual void finished(const VariantReport& /*report*/) {}

  /// For a live progress line: several times a second, at moments that depend on the machine.
  virtual void progress(const Progress& /*progress*/) {}

  /// Right before a case's launches, so that a crash leaves the line behind. In the order in which
  /// threads come to their cases.
  virtual void launching(const Case& /*problem*/) {}

  /// Of a search: several times a second, and when it is over.
  virtual void fuzzing(const FuzzProgress& /*progress*/) {}
  virtual void fuzzed(const FuzzReport& /*report*/) {}
};

/// What a listener hears of a variant that is done.
void tell(const VariantReport& report, Listener& listener);

class Journal;

/// Runs `options.cases` cases of each variant, or the shard's share of them, and shrinks what they
/// find: up to three findings that differ in class or source line, then the next variant. What the
/// journal (null: none) has of an interrupted run of the same campaign is not run again. Throws
/// InputError where a contract's domain holds no case, a property is not known, the PTX is not PTX,
/// or no case was asked at all.
[[nodiscard]] CampaignReport run_campaign(std::span<const kernels::Variant> variants,
                                          device::Device& device, const CampaignOptions& options,
                                          Listener& listener, Journal* journal = nullptr);

/// One case line, run and judged once under its property, neither shrunk nor confirmed.
struct ReplayReport {
  VariantReport report;  // of one case
  std::string outside;   // the conjunct of `requires` that the case breaks; it was run all the same
  std::string printed;   // by the kernel
  bool launched = true;  // false: m or n is 0, and there is nothing to do
};

/// Throws InputError where the case cannot be laid out: a leading dimension below its row's length,
/// a size too large for memory, an unknown property.
[[nodiscard]] ReplayReport replay(const kernels::Variant& variant, const Case& problem,
                                  device::Device& device, Listener& listener,
                                  bool strict_races = false);

}  // namespace warpcheck::properties
