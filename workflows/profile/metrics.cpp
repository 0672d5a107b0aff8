// Labels and names are those of the sections Instruction Statistics, Source Counters and Memory
// Workload Analysis of Nsight Compute.
#include "workflows/profile/metrics.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <map>

namespace warpcheck::workflows::profile {
namespace {

using device::InstructionCounts;
using device::InstructionKind;

/// The mnemonic of an instruction; a guard before it is skipped.
std::string_view mnemonic(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(text.find(' ') + 1);
  return text.substr(0, text.find_first_of(". ;"));
}

class CountSums {
 public:
  explicit CountSums(const std::vector<InstructionCounts>& counts) : counts_(counts) {}

  using Field = std::uint64_t InstructionCounts::*;
  using Filter = std::function<bool(const InstructionCounts&)>;

  /// Arithmetic operations of all threads.
  [[nodiscard]] double operations(const Filter& filter) const {
    double sum = 0.0;
    for (const InstructionCounts& counts : counts_) {
      if (filter(counts)) sum += static_cast<double>(counts.operations * counts.predicated_on);
    }
    return sum;
  }

  [[nodiscard]] double of(Field field, const Filter& filter = nullptr) const {
    std::uint64_t sum = 0;
    for (const InstructionCounts& counts : counts_) {
      if (filter == nullptr || filter(counts)) sum += counts.*field;
    }
    return static_cast<double>(sum);
  }

 private:
  const std::vector<InstructionCounts>& counts_;
};

double ratio(double part, double whole) { return whole == 0.0 ? 0.0 : part / whole; }

CountSums::Filter kind_filter(InstructionKind kind) {
  return [kind](const InstructionCounts& counts) { return counts.source.facts.kind == kind; };
}

CountSums::Filter mnemonic_filter(InstructionKind kind, std::string_view one,
                                  std::string_view other = "") {
  return [=](const InstructionCounts& counts) {
    const std::string_view found = mnemonic(counts.source.instruction);
    return counts.source.facts.kind == kind && (found == one || (!other.empty() && found == other));
  };
}

void add_instructions(const CountSums& sums, std::vector<Metric>& all) {
  constexpr std::string_view kSection = "Instruction Statistics";
  const double warps = sums.of(&InstructionCounts::warps);
  const double threads = sums.of(&InstructionCounts::threads);
  const double predicated_on = sums.of(&InstructionCounts::predicated_on);
  all.push_back({kSection, "Executed Instructions", "smsp__inst_executed.sum", warps, "inst"});
  all.push_back({kSection, "Thread Instructions Executed", "smsp__thread_inst_executed.sum",
                 threads, "inst"});
  all.push_back({kSection, "Predicated-On Thread Instructions Executed",
                 "smsp__thread_inst_executed_pred_on.sum", predicated_on, "inst"});
  all.push_back({kSection, "Avg. Active Threads Per Warp",
                 "smsp__thread_inst_executed_per_inst_executed.ratio", ratio(threads, warps), ""});
  all.push_back({kSection, "Avg. Not Predicated Off Threads Per Warp",
                 "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
                 ratio(predicated_on, warps), ""});
}

void add_branches(const CountSums& sums, std::vector<Metric>& all) {
  constexpr std::string_view kSection = "Source Counters";
  const auto conditional = [](const InstructionCounts& counts) { return counts.conditional; };
  const double branches =
      sums.of(&InstructionCounts::warps, mnemonic_filter(InstructionKind::control, "bra", "brx"));
  const double decided = sums.of(&InstructionCounts::warps, conditional);
  const double divergent = sums.of(&InstructionCounts::divergent, conditional);
  all.push_back(
      {kSection, "Branch Instructions", "smsp__inst_executed_op_branch.sum", branches, "inst"});
  all.push_back({kSection, "Branch Efficiency",
                 "smsp__sass_average_branch_targets_threads_uniform.pct",
                 decided == 0.0 ? 100.0 : 100.0 * (decided - divergent) / decided, "%"});
  all.push_back({kSection, "Divergent Branches", "smsp__sass_branch_targets_threads_divergent.sum",
                 divergent, "inst"});
}

/// The rows of one kind of access in a table of memory operations.
struct MemoryRows {
  InstructionKind kind;
  std::array<std::string_view, 3> labels;
  std::array<std::string_view, 3> names;
};

constexpr std::array<MemoryRows, 3> kGlobal = {{
    {InstructionKind::load,
     {"Global Load Requests", "Global Load Sectors", "Global Load Sectors/Req"},
     {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
      "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"}},
    {InstructionKind::store,
     {"Global Store Requests", "Global Store Sectors", "Global Store Sectors/Req"},
     {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
      "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"}},
    {InstructionKind::atomic,
     {"Global Atomic Requests", "Global Atomic Sectors", "Global Atomic Sectors/Req"},
     {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
      "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_atom.ratio"}},
}};

constexpr std::array<MemoryRows, 4> kShared = {{
    {InstructionKind::load,
     {"Shared Load Requests", "Shared Load Wavefronts", "Shared Load Bank Conflicts"},
     {"smsp__inst_executed_op_shared_ld.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}},
    {InstructionKind::store,
     {"Shared Store Requests", "Shared Store Wavefronts", "Shared Store Bank Conflicts"},
     {"smsp__inst_executed_op_shared_st.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}},
    {InstructionKind::copy,
     {"Shared Store From Global Load Requests", "Shared Store From Global Load Wavefronts",
      "Shared Store From Global Load Bank Conflicts"},
     {"smsp__inst_executed_op_ldgsts.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum"}},
    {InstructionKind::atomic,
     {"Shared Atomic Requests", "Shared Atomic Wavefronts", "Shared Atomic Bank Conflicts"},
     {"smsp__inst_executed_op_shared_atom.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"}},
}};

bool contains(const InstructionCounts& counts, std::string_view part) {
  return counts.source.instruction.find(part) != std::string::npos;
}

/// Bulk copies are not requests of warps.
bool is_bulk_copy(const InstructionCounts& counts) {
  return counts.source.facts.kind == InstructionKind::copy && contains(counts, ".bulk");
}

/// The hardware counts the global reads of asynchronous copies as loads.
CountSums::Filter global_filter(InstructionKind kind) {
  return [kind](const InstructionCounts& counts) {
    if (is_bulk_copy(counts)) return false;
    return counts.source.facts.kind == kind ||
           (kind == InstructionKind::load && counts.source.facts.kind == InstructionKind::copy);
  };
}

/// An instruction at which a warp waits for other threads or for copies.
bool waits(const InstructionCounts& counts) {
  const std::string_view found = mnemonic(counts.source.instruction);
  if (found == "bar" || found == "barrier") return !contains(counts, "arrive");
  if (found == "mbarrier") return contains(counts, "_wait");
  return (found == "wgmma" || found == "cp") && contains(counts, "wait");
}

/// Rows of kernels with tensor cores, bulk copies or barriers; others have none.
void add_asynchrony(const CountSums& sums, std::vector<Metric>& all) {
  constexpr std::string_view kSection = "Tensor Cores, Bulk Copies and Waits";
  const auto add = [&](std::string_view label, std::string_view name, double value,
                       std::string_view unit) {
    if (value != 0.0) all.push_back({kSection, label, name, value, unit});
  };
  const auto is_tensor = kind_filter(InstructionKind::tensor);
  add("Tensor Instructions", "tensor_instructions", sums.of(&InstructionCounts::warps, is_tensor),
      "inst");
  add("Tensor Multiply-Adds", "tensor_multiply_adds", sums.operations(is_tensor) / 2, "");
  add("Bulk Copies", "bulk_copies", sums.of(&InstructionCounts::global_requests, is_bulk_copy), "");
  add("Bulk Copy Sectors", "bulk_copy_sectors",
      sums.of(&InstructionCounts::global_sectors, is_bulk_copy), "sector");
  add("Waits", "waits", sums.of(&InstructionCounts::warps, waits), "inst");
}

/// True for kinds whose rows are left out where their count is 0.
bool is_rare(InstructionKind kind) {
  return kind == InstructionKind::atomic || kind == InstructionKind::copy;
}

void add_memory(const CountSums& sums, std::vector<Metric>& all) {
  constexpr std::string_view kSection = "Memory Workload Analysis";
  for (const MemoryRows& rows : kGlobal) {
    const CountSums::Filter filter = global_filter(rows.kind);
    const double requests = sums.of(&InstructionCounts::global_requests, filter);
    const double sectors = sums.of(&InstructionCounts::global_sectors, filter);
    if (requests == 0.0 && is_rare(rows.kind)) continue;
    all.push_back({kSection, rows.labels[0], rows.names[0], requests, ""});
    all.push_back({kSection, rows.labels[1], rows.names[1], sectors, "sector"});
    all.push_back({kSection, rows.labels[2], rows.names[2], ratio(sectors, requests), ""});
  }
  for (const MemoryRows& rows : kShared) {
    const double requests = sums.of(&InstructionCounts::shared_requests, kind_filter(rows.kind));
    const double wavefronts =
        sums.of(&InstructionCounts::shared_wavefronts, kind_filter(rows.kind));
    const double ideal = sums.of(&InstructionCounts::shared_ideal, kind_filter(rows.kind));
    if (requests == 0.0 && is_rare(rows.kind)) continue;
    all.push_back({kSection, rows.labels[0], rows.names[0], requests, ""});
    all.push_back({kSection, rows.labels[1], rows.names[1], wavefronts, ""});
    all.push_back({kSection, rows.labels[2], rows.names[2], wavefronts - ideal, ""});
  }
}

void add_arithmetic(const CountSums& sums, std::vector<Metric>& all) {
  constexpr std::string_view kSection = "Floating Point";
  const auto add = [&](std::string_view label, std::string_view name, InstructionKind kind,
                       std::string_view one, std::string_view other) {
    const double threads =
        sums.of(&InstructionCounts::predicated_on, mnemonic_filter(kind, one, other));
    if (threads != 0.0 || kind == InstructionKind::fp32) {
      all.push_back({kSection, label, name, threads, "inst"});
    }
  };
  add("FADD Thread Instructions", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
      InstructionKind::fp32, "add", "sub");
  add("FMUL Thread Instructions", "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
      InstructionKind::fp32, "mul", "");
  add("FFMA Thread Instructions", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
      InstructionKind::fp32, "fma", "mad");
  add("DADD Thread Instructions", "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
      InstructionKind::fp64, "add", "sub");
  add("DMUL Thread Instructions", "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
      InstructionKind::fp64, "mul", "");
  add("DFMA Thread Instructions", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
      InstructionKind::fp64, "fma", "mad");
  add("HADD Thread Instructions", "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum",
      InstructionKind::fp16, "add", "sub");
  add("HMUL Thread Instructions", "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum",
      InstructionKind::fp16, "mul", "");
  add("HFMA Thread Instructions", "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
      InstructionKind::fp16, "fma", "mad");
}

}  // namespace

std::vector<Metric> metrics(const Profile& profile) {
  const CountSums sums(profile.counts);
  std::vector<Metric> all;
  add_instructions(sums, all);
  add_branches(sums, all);
  add_memory(sums, all);
  add_arithmetic(sums, all);
  add_asynchrony(sums, all);
  return all;
}

std::vector<KindShare> instruction_mix(const Profile& profile) {
  std::map<InstructionKind, std::uint64_t> warps_of;
  std::uint64_t all = 0;
  for (const InstructionCounts& counts : profile.counts) {
    warps_of[counts.source.facts.kind] += counts.warps;
    all += counts.warps;
  }
  std::vector<KindShare> mix;
  for (const auto& [kind, warps] : warps_of) {
    if (warps == 0) continue;
    mix.push_back({kind, 100.0 * static_cast<double>(warps) / static_cast<double>(all)});
  }
  std::stable_sort(mix.begin(), mix.end(),
                   [](const KindShare& a, const KindShare& b) { return a.percent > b.percent; });
  return mix;
}

Intensity intensity(const Profile& profile) {
  Intensity result;
  double sectors = 0.0;
  for (const InstructionCounts& counts : profile.counts) {
    result.operations += static_cast<double>(counts.operations * counts.predicated_on);
    sectors += static_cast<double>(counts.global_sectors);
  }
  constexpr double kSectorBytes = 32.0;
  result.by_sectors = ratio(result.operations, kSectorBytes * sectors);
  result.by_compulsory = ratio(result.operations, static_cast<double>(profile.compulsory_bytes));
  return result;
}

Peak h200_peak(const Profile& profile) {
  constexpr double kBytesPerSecond = 4.8e12;
  const auto executes = [&](InstructionKind kind, std::initializer_list<std::string_view> parts) {
    return std::any_of(profile.counts.begin(), profile.counts.end(), [&](const auto& counts) {
      return counts.source.facts.kind == kind && counts.warps != 0 &&
             std::any_of(parts.begin(), parts.end(),
                         [&](std::string_view part) { return contains(counts, part); });
    });
  };
  const InstructionKind tensor = InstructionKind::tensor;
  if (executes(tensor, {".e4m3", ".e5m2"})) return {"FP8 tensor", 1979e12, kBytesPerSecond};
  if (executes(tensor, {".s8", ".u8"})) return {"INT8 tensor", 1979e12, kBytesPerSecond, "OP"};
  if (executes(tensor, {".tf32"})) return {"TF32 tensor", 495e12, kBytesPerSecond};
  if (executes(tensor, {".f64"})) return {"FP64 tensor", 67e12, kBytesPerSecond};
  if (executes(tensor, {""})) return {"FP16 tensor", 989e12, kBytesPerSecond};
  if (executes(InstructionKind::fp64, {""})) return {"FP64", 34e12, kBytesPerSecond};
  return {"FP32", 67e12, kBytesPerSecond};
}

}  // namespace warpcheck::workflows::profile
