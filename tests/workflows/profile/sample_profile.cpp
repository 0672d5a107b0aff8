#include "tests/workflows/profile/sample_profile.hpp"

#include <string>
#include <utility>

namespace warpcheck::workflows::profile {
namespace {

using device::InstructionCounts;
using device::InstructionKind;

InstructionCounts instruction(unsigned line, std::string text, InstructionKind kind,
                              std::uint64_t warps) {
  InstructionCounts counts;
  counts.source = {"k.cu", line, std::move(text), 100 + line};
  counts.source.facts.kind = kind;
  counts.warps = warps;
  counts.threads = 32 * warps;
  counts.predicated_on = 32 * warps;
  return counts;
}

InstructionCounts branch(unsigned line, std::uint64_t taken, std::uint64_t not_taken,
                         std::uint64_t divergent) {
  InstructionCounts counts =
      instruction(line, "@%p1 bra L1;", InstructionKind::control, taken + not_taken - divergent);
  counts.conditional = true;
  counts.taken = taken;
  counts.not_taken = not_taken;
  counts.divergent = divergent;
  return counts;
}

}  // namespace

Profile sample_profile() {
  Profile result;
  result.variant = "k";
  result.source_file = "k.cu";
  result.source = "one\n  two\nthree\nfour\nfive\nsix\n";
  result.architecture = "sm_80";
  campaign::Case line;
  line.variant = "k";
  result.cases = {line};
  InstructionCounts load =
      instruction(2, "@!%p3 ld.global.f32 %f1, [%rd1];", InstructionKind::load, 10);
  load.global_requests = 10;
  load.global_sectors = 320;
  load.global_ideal = 40;
  InstructionCounts fma =
      instruction(3, "fma.rn.f32 %f1, %f2, %f3, %f1;", InstructionKind::fp32, 50);
  fma.operations = 2;
  InstructionCounts tile = instruction(4, "ld.shared.f32 %f1, [%r1];", InstructionKind::load, 10);
  tile.shared_requests = 10;
  tile.shared_wavefronts = 320;
  tile.shared_ideal = 10;
  result.counts = {load,
                   fma,
                   tile,
                   branch(5, 4, 6, 2),
                   branch(5, 0, 3, 0),
                   instruction(6, "add.f32 %f1, %f1, %f1;", InstructionKind::fp32, 0)};
  result.coverage = {{{"k.cu",
                       {{2, 10, {}},
                        {3, 50, {}},
                        {4, 10, {}},
                        {5, 8, {{3, 0, 4, 6}, {9, 0, 0, 3}, {15, 0, 3, 0}}},
                        {6, 0, {{3, 0, 0, 0}}}},
                       {}}}};
  result.compulsory_bytes = 800;
  return result;
}

}  // namespace warpcheck::workflows::profile
