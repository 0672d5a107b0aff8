#include "campaign/run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "campaign/case/domain.hpp"
#include "campaign/case/product.hpp"
#include "campaign/run/element.hpp"
#include "campaign/run/source.hpp"

namespace warpcheck::campaign::run {
namespace {

/// The place of the operand in a buffer of the job; null if it holds none.
const Placement* placement_of(const Problem& problem, std::size_t buffer) {
  const BufferRole& role = problem.roles[buffer];
  return role.operand ? &problem.layouts.operands[*role.operand] : nullptr;
}

/// Returns true if no thread with this index has an element of an output.
bool is_beyond_outputs(const Problem& problem, std::int64_t index) {
  std::vector<std::size_t> outputs = problem.other_outputs;
  outputs.push_back(problem.output);
  return std::all_of(outputs.begin(), outputs.end(), [&](std::size_t buffer) {
    return placement_of(problem, buffer)->is_below(index);
  });
}

/// Sets the element of an operand at the finding's place, if that is in a buffer of the job, and
/// the extent of the buffer of an access outside of it, which some devices do not report.
void describe_element(const Problem& problem, Evidence& evidence) {
  if (!evidence.finding.memory) return;
  MemoryPlace& place = *evidence.finding.memory;
  const std::vector<device::Buffer>& buffers = problem.job.buffers;
  const auto found = std::find_if(buffers.begin(), buffers.end(),
                                  [&](const auto& buffer) { return buffer.name == place.name; });
  if (found == buffers.end()) return;
  const bool is_outside = evidence.finding.kind == FindingClass::out_of_bounds;
  if (is_outside && !place.extent) place.extent = found->extent.bytes();
  const auto number = static_cast<std::size_t>(found - buffers.begin());
  const Placement* const matrix = placement_of(problem, number);
  if (matrix == nullptr) return;
  evidence.element = in_call(matrix->describe(place), problem.roles[number].call);
  const auto index = matrix->index_outside(place);
  if (index && is_beyond_outputs(problem, *index)) evidence.index_outside = index;
}

/// Bytes of a buffer that the kernel must not change.
struct Changed {
  std::size_t first = 0;  // offset in the allocation
  std::size_t count = 0;
};

/// Compares the padding and, with `rows_too`, also the rows.
void add_changed(const device::Buffer& before, const std::vector<std::byte>& after,
                 std::size_t begin, std::size_t end, Changed& changed) {
  if (begin >= end || std::memcmp(&before.bytes[begin], &after[begin], end - begin) == 0) return;
  for (std::size_t i = begin; i < end; ++i) {
    if (before.bytes[i] != after[i] && changed.count++ == 0) changed.first = before.offset_from(i);
  }
}

Changed changed(const device::Buffer& before, const std::vector<std::byte>& after, bool rows_too) {
  Changed result;
  const std::size_t size = before.bytes.size();
  if (rows_too) {
    add_changed(before, after, 0, size, result);
  } else if (!before.packed && size != 0) {
    const device::Extent& extent = before.extent;
    const std::size_t rows = extent.rows();
    for (std::size_t row = 0; row < rows; ++row) {
      add_changed(before, after, extent.row_begin(row) + extent.row_bytes,
                  row + 1 < rows ? extent.row_begin(row + 1) : size, result);
    }
  }
  return result;
}

std::string bytes_changed(std::size_t count) {
  return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
}

Finding refused_launch(const contract::AssemblyError& refusal) {
  Finding finding;
  finding.kind = FindingClass::launch_failure;
  finding.message = refusal.message;
  finding.source.file = refusal.where.file;
  finding.source.line = refusal.where.line;
  finding.source.column = refusal.where.column;
  finding.source.ptx_line = refusal.ptx_line;
  return finding;
}

/// Returns the kernel of the last launch of the case with D among its arguments.
const std::string& writing_kernel(const Problem& problem) {
  const contract::Contract& contract = problem.variant->contract;
  const auto& launches = contract.launches;
  const auto last = std::find_if(launches.rbegin(), launches.rend(), [&](const auto& step) {
    return takes_output(contract, step) && applies(contract, step, problem.line);
  });
  return last == launches.rend() ? launches.back().kernel : last->kernel;
}

}  // namespace

double Output::value(std::int64_t row, std::int64_t column) const {
  return decode(place.type, bytes.data() + place.index_of(row, column));
}

bool Output::same_bits(std::int64_t row, std::int64_t column, const Output& other,
                       std::int64_t other_row, std::int64_t other_column) const {
  return std::memcmp(bytes.data() + place.index_of(row, column),
                     other.bytes.data() + other.place.index_of(other_row, other_column),
                     size_of(place.type)) == 0;
}

bool Output::same_lines(const Output& other) const {
  const device::Extent extent = place.extent();
  const device::Extent other_extent = other.place.extent();
  const auto shape = [](const Placement& one, const device::Extent& of) {
    std::vector<std::int64_t> extents;
    for (const Placement::Axis& axis : one.axes) extents.push_back(axis.extent);
    return std::tuple(one.nest, one.type, of.row_bytes, of.levels.size(), std::move(extents));
  };
  if (shape(place, extent) != shape(other.place, other_extent)) return false;
  for (std::size_t row = 0; extent.row_bytes != 0 && row < extent.rows(); ++row) {
    const std::size_t at = place.packed ? row * extent.row_bytes : extent.row_begin(row);
    const std::size_t other_at =
        other.place.packed ? row * extent.row_bytes : other_extent.row_begin(row);
    if (std::memcmp(&bytes[at], &other.bytes[other_at], extent.row_bytes) != 0) return false;
  }
  return true;
}

bool Output::same_row(std::int64_t row, const Output& other, std::int64_t other_row) const {
  const auto columns = static_cast<std::size_t>(place.columns);
  const std::size_t element = size_of(place.type);
  const bool contiguous =
      place.column_distance(row) == element && other.place.column_distance(other_row) == element;
  return contiguous && std::memcmp(bytes.data() + place.index_of(row, 0),
                                   other.bytes.data() + other.place.index_of(other_row, 0),
                                   columns * element) == 0;
}

void Output::read_row(std::int64_t number, std::span<double> values) const {
  if (values.empty()) return;
  decode(place.type, bytes.data() + place.index_of(number, 0), place.column_distance(number),
         values);
}

std::vector<double> Output::row(std::int64_t number) const {
  std::vector<double> values(static_cast<std::size_t>(place.columns));
  read_row(number, values);
  return values;
}

reference::Matrix Output::matrix() const {
  reference::Matrix result = reference::Matrix::uninitialized(place.all_rows(), place.columns);
  for (std::int64_t row = 0; row < place.all_rows(); ++row) {
    read_row(row, std::span(result.values)
                      .subspan(static_cast<std::size_t>(row * place.columns),
                               static_cast<std::size_t>(place.columns)));
  }
  return result;
}

bool was_refused(const Finding& finding) {
  return finding.kind == FindingClass::launch_failure && !finding.thread;
}

device::Outcome Runner::launch(device::Job job) {
  ++jobs_;
  if (const contract::AssemblyError* refusal = context_.variant.refusal()) {
    device::Outcome refused;
    refused.findings = {refused_launch(*refusal)};
    return refused;
  }
  job.limits_only = context_.limits_only;
  job.stop = context_.stop;
  job.budget_divisor = context_.budget_divisor;
  job.cover = job.cover || context_.observation != nullptr;
  device::Outcome outcome = context_.device.run(context_.program, job);
  if (context_.observation != nullptr) add(*context_.observation, job, outcome);
  if (outcome.stopped) throw StoppedRun();
  return outcome;
}

void Runner::note(Evidence evidence) {
  const bool known = std::any_of(notes_.begin(), notes_.end(), [&](const Evidence& other) {
    return same_places(other.finding, evidence.finding);
  });
  if (!known) notes_.push_back(std::move(evidence));
}

Run Runner::run(const Problem& problem) {
  Run run;
  run.output.place = problem.layouts.output();
  run.launched = !problem.job.launches.empty();
  if (!run.launched) return run;
  device::Outcome outcome = launch(problem.job);
  run.printed = outcome.printed;
  run.counts = std::move(outcome.counts);
  const contract::Contract& contract = context_.variant.contract;
  const auto& launches = contract.launches;
  const Strictness strict{context_.strict.races,
                          context_.strict.barriers || contract.strict_barriers};
  for (Finding& finding : outcome.findings) {
    Evidence evidence;
    evidence.finding = std::move(finding);
    describe_element(problem, evidence);
    const bool is_located = evidence.finding.source.line != 0;
    if (was_refused(evidence.finding) && !is_located && launches.size() == 1) {
      evidence.finding.source = definition(context_.variant, launches.front().kernel);
    }
    if (is_note(evidence.finding.grade, strict)) {
      note(std::move(evidence));
    } else {
      run.evidence.push_back(std::move(evidence));
    }
  }
  if (outcome.unsupported) {
    unsupported_ = std::move(outcome.unsupported);
    if (run.evidence.empty()) throw UnsupportedRun(*unsupported_);
  }
  if (context_.limits_only && run.evidence.empty()) {
    run.launched = false;  // the buffers are as they were
    return run;
  }
  // The contents are undefined after a fault; errors in them would be its consequence.
  if (run.evidence.empty()) compare_bytes(problem, outcome, run);
  for (Evidence& evidence : run.evidence) evidence.printed = run.printed;
  if (!run.evidence.empty()) return run;
  run.output.bytes = std::move(outcome.buffers[problem.output]);
  for (const std::size_t other : problem.other_outputs) {
    run.other_outputs.push_back({*placement_of(problem, other), std::move(outcome.buffers[other])});
  }
  return run;
}

void Runner::compare_bytes(const Problem& problem, const device::Outcome& outcome, Run& run) {
  const std::vector<device::Buffer>& buffers = problem.job.buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const device::Buffer& buffer = buffers[i];
    const bool input = buffer.access == device::Access::read_only;
    if (!problem.roles[i].operand) continue;
    const Changed bytes = changed(buffer, outcome.buffers[i], input);
    if (bytes.count == 0) continue;
    Evidence evidence;
    evidence.finding.kind = input ? FindingClass::input_modified : FindingClass::guard_overwritten;
    evidence.finding.memory = MemoryPlace{buffer.name, static_cast<std::ptrdiff_t>(bytes.first),
                                          buffer.element_bytes, true};
    evidence.finding.memory->offset -=
        static_cast<std::ptrdiff_t>(bytes.first % buffer.element_bytes);
    describe_element(problem, evidence);
    const Placement& output = problem.layouts.output();
    evidence.finding.message =
        input ? fmt::format("the kernel changed {} of its input {}, first at {}",
                            bytes_changed(bytes.count), buffer.name, evidence.element)
              : fmt::format("the kernel wrote {} between the {} of {}, first at {}",
                            bytes_changed(bytes.count),
                            !output.has_lines()   ? "elements"
                            : output.is_by_rows() ? "rows"
                                                  : "columns",
                            buffer.name, evidence.element);
    locate(problem, {i, bytes.first}, evidence);
    run.evidence.push_back(std::move(evidence));
  }
}

/// An overflow of an index is the cause of a wrong value if the value is right without it.
void Runner::explain_by_overflow(const Problem& problem, const device::Job& watching,
                                 const device::Outcome& outcome, Evidence& evidence) {
  const bool is_value = evidence.finding.kind == FindingClass::wrong_result && evidence.mismatch;
  if (!is_value || outcome.overflows.empty()) return;
  device::Job job = watching;
  job.track_origins = job.exact_indices = true;
  const device::Outcome exact = launch(job);
  const std::size_t number = watching.watch->buffer;
  const Placement* const place = placement_of(problem, number);
  if (place == nullptr || exact.buffers.size() <= number) return;
  const device::Buffer& buffer = problem.job.buffers[number];
  const std::size_t index = buffer.index_from(watching.watch->offset);
  const std::byte* const element =
      exact.buffers[number].data() + (index - index % buffer.element_bytes);
  const double difference = decode(place->type, element) - evidence.mismatch->expected;
  if (std::abs(difference) <= evidence.mismatch->tolerance) {
    evidence.finding.overflow = outcome.overflows.front();
  }
}

void Runner::locate(const Problem& problem, device::BufferAddress byte, Evidence& evidence) {
  if (!locate_) return;
  device::Job job = problem.job;
  job.watch = byte;
  const device::Outcome outcome = launch(job);
  explain_by_overflow(problem, job, outcome, evidence);
  if (outcome.writer) {
    evidence.finding.source = outcome.writer->source;
    evidence.finding.thread = outcome.writer->thread;
    if (evidence.diagnosis.cause.kind == judge::CauseKind::unwritten) {
      // The kernel wrote what lay there: C itself, the result without terms.
      evidence.diagnosis.cause = {keeps_output_without_terms(problem.line)
                                      ? judge::CauseKind::no_terms
                                      : judge::CauseKind::none};
    }
    return;
  }
  // Some devices do not determine the writer. If the poison is unchanged, there is none.
  const device::Buffer& buffer = problem.job.buffers[byte.buffer];
  const std::size_t index = buffer.index_from(byte.offset);
  const std::size_t element = index - index % buffer.element_bytes;
  if (outcome.buffers.size() <= byte.buffer) return;
  const std::vector<std::byte>& after = outcome.buffers[byte.buffer];
  for (std::size_t i = element; i < element + buffer.element_bytes; ++i) {
    if (after[i] != buffer.bytes[i]) return;
  }
  evidence.finding.source = definition(context_.variant, writing_kernel(problem));
  if (evidence.diagnosis.empty()) {
    evidence.diagnosis.cause.kind = judge::CauseKind::unwritten;
    evidence.diagnosis.element = evidence.element;
  }
}

}  // namespace warpcheck::campaign::run
