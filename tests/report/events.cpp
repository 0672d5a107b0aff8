#include "tests/report/events.hpp"

#include <cmath>

namespace warpcheck::report {

using namespace campaign;

FindingReport misaligned_load() {
  FindingReport report;
  report.variant = "sgemm_float4";
  report.device = "virtual";
  report.property = "matches-reference";
  report.finding.kind = FindingClass::misaligned;
  report.finding.message = "load of 16 bytes at byte 20 of A, expected a multiple of 16";
  report.finding.source = {"kernels/sgemm_float4.cu", 12,
                           "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4]", 87};
  report.finding.thread = ThreadPlace{{0, 0, 0}, {1, 0, 0}};
  report.element = "A[1, 0] to A[1, 3]";
  report.excerpt = {"kernels/sgemm_float4.cu",
                    12,
                    10,
                    {"  for (int i = 0; i < k; i += 4) {", "",
                     "    float4 v = *reinterpret_cast<const float4*>(a + row * lda + i);",
                     "    sum += v.x * b[i * ldb + column];", "  }"}};
  report.original = parse_case("sgemm_float4 m=65 n=33 k=17 seed=42");
  report.smallest = parse_case("sgemm_float4 m=2 k=5 seed=42");
  report.shrink_launches = 57;
  report.confirmed = report.confirmations = 3;
  return report;
}

FindingReport benign_race() {
  FindingReport report = misaligned_load();
  report.finding.kind = FindingClass::race;
  report.finding.grade = Grade::same_value;
  report.finding.count = 31;
  report.finding.message = "thread (1, 0, 0) writes element 0 of flag";
  report.finding.source.line = 9;
  report.finding.other = OtherAccess{report.finding.source, {}, true};
  report.finding.other->source.line = 12;
  return report;
}

FindingReport wrong_result() {
  FindingReport report;
  report.variant = "sgemm_tail";
  report.device = "cuda";
  report.property = "matches-reference";
  report.finding.message = "3 of 4 elements differ from the reference";
  report.mismatch = campaign::judge::Mismatch{1, 0, 1.5, -2.25, 0.0, 3, 4};
  report.mismatch->worst = {{1, 1, std::nan(""), 2.5, 0.0, "D[1, 1]"},
                            {1, 0, 1.5, -2.25, 0.0, "D[1, 0]"},
                            {0, 1, 0.25, 0.5, 0.0, "D[0, 1]"}};
  report.diagnosis.text = "the last term of k is missing";
  report.printed = "tile 0\n\033[2J\n";
  report.original = report.smallest = parse_case("sgemm_tail m=2 n=2 k=3");
  report.confirmed = 2;
  report.confirmations = 3;
  return report;
}

VariantReport passing_variant() {
  VariantReport report;
  report.variant = "sgemm_naive";
  report.device = "virtual";
  report.cases = 100;
  report.acceptance = {100, 100, ""};
  report.properties = {{"matches-reference", 100, 0.25},
                       {"permuting-rows-permutes-rows", 50, 0.125},
                       {"power-of-two-scaling-is-exact", 0, 0.0}};
  report.sensitivity = 1.0;
  report.level_coverage = {9, 9};
  report.pair_coverage = {6, 6};
  report.seconds = 0.42;
  return report;
}

VariantReport failing_variant() {
  VariantReport report;
  report.variant = "sgemm_float4";
  report.device = "virtual";
  report.verdict = Verdict::finding;
  report.cases = 7;
  report.properties = {{"matches-reference", 7, 8.0},
                       {"permuting-rows-permutes-rows", 1, 1.0},
                       {"power-of-two-scaling-is-exact", 0, 0.0}};
  report.acceptance = {1000, 999, "k % 4 == 0"};
  report.sensitivity = 0.999;
  report.error_over_bound = 2.5;
  report.level_coverage = {9, 10};
  report.pair_coverage = {3, 4};
  report.triple_coverage = {1, 8};
  report.seconds = 12.0;
  report.findings = {misaligned_load()};
  return report;
}

VariantReport mistrusted_variant() {
  VariantReport report;
  report.variant = "sgemm_blind";
  report.device = "virtual";
  report.verdict = Verdict::mistrusted;
  report.cases = 1;
  report.properties = {{"matches-reference", 1, 0.0}};
  report.mistrusted = 1;
  report.acceptance = {1000, 3, "m == 4096"};
  report.sensitivity = 0.0;
  report.level_coverage = {1, 200};
  report.pair_coverage = {5, 5};
  return report;
}

VariantReport unsupported_variant() {
  VariantReport report;
  report.variant = "hgemm_wgmma";
  report.device = "virtual";
  report.verdict = Verdict::unsupported;
  report.cases = 100;
  report.properties = {{"matches-reference", 2, 0.0}, {"permuting-rows-permutes-rows", 1, 0.0}};
  report.acceptance = {100, 100, ""};
  report.unsupported = {{{"wgmma.fence.sync.aligned",
                          "the virtual device does not implement this instruction",
                          "9.7.15",
                          {"kernels/hgemm_wgmma.cu", 31, "wgmma.fence.sync.aligned", 120}},
                         parse_case("hgemm_wgmma m=64 n=8 k=16 seed=1"),
                         98}};
  return report;
}

VariantReport variant_with_unexecuted_lines() {
  VariantReport report = passing_variant();
  report.variant = "sgemm_tail";
  report.verdict = Verdict::mistrusted;
  report.cases = 99;
  report.properties = {{"matches-reference", 99, 0.25}};
  report.empty = 2;
  report.lines.emplace();
  report.lines->required = 40;
  for (const unsigned line : {41U, 42U, 43U, 44U, 52U}) {
    report.lines->unexecuted.push_back({"kernels/sgemm_tail.cu", line});
  }
  report.lines->unexecuted.push_back({"kernels/tile.cuh", 7});
  return report;
}

VariantReport searched_variant() {
  VariantReport report;
  report.variant = "sgemm_searched";
  report.device = "virtual";
  report.cases = 600;
  report.properties = {{"matches-reference", 600, 0.5}};
  return report;
}

VariantReport known_variant() {
  VariantReport report = failing_variant();
  report.findings.front().known = "misaligned until 2027-01-31: issue 12 | <soon>";
  return report;
}

ReportContext small_campaign() {
  ReportContext context;
  context.totals = {{passing_variant(), failing_variant(), mistrusted_variant()}, 1, 1, 108, 12.42};
  context.replay_command = [](const Case& problem) { return "replay " + problem.variant; };
  context.path_of = [](std::string_view variant) { return std::string(variant) + ".cu"; };
  return context;
}

}  // namespace warpcheck::report
