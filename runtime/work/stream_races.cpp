#include "runtime/work/stream_races.hpp"

#include <fmt/format.h>

#include <string_view>
#include <thread>

#include "base/text/demangle.hpp"
#include "runtime/work/streams.hpp"

namespace warpcheck::runtime {
namespace {

using device::AccessedRange;
using device::AccessKinds;

constexpr AccessKinds kReads{.read = true};
constexpr AccessKinds kWrites{.write = true};
void report_race(Runtime& runtime, const WorkConflict& conflict, const StreamWork& work,
                 const std::string& kernel) {
  const auto memory = runtime.session().containing(conflict.address);
  if (!memory) return;
  const StreamWork& earlier = runtime.order().work(conflict.earlier);
  const auto offset = static_cast<std::ptrdiff_t>(conflict.address - memory->address);
  const std::string_view verb = *work.verb != '\0' ? work.verb
                                : conflict.writes  ? "writes"
                                                   : "reads";
  const std::string_view earlier_verb = *earlier.verb != '\0'     ? earlier.verb
                                        : conflict.earlier_writes ? "writes"
                                                                  : "reads";
  FindingEvent event;
  event.kernel = kernel;
  event.launch = kernel.empty() ? 0 : runtime.launches();
  event.stack = runtime.stacks().at(work.stack);
  event.finding.kind = FindingClass::race;
  if (conflict.place != nullptr) event.finding.source = *conflict.place;
  event.finding.message = fmt::format("{} {} byte {} of {}, which {} {}: {}", describe(work), verb,
                                      offset, memory->name, describe(earlier), earlier_verb,
                                      work.stream.id == earlier.stream.id
                                          ? "it does not wait by cudaGridDependencySynchronize()"
                                          : "no event or synchronization orders them");
  event.finding.memory = MemoryPlace{memory->name, offset, 1, conflict.writes, memory->bytes};
  event.related = runtime.stacks_of(memory->name);
  event.related.insert(event.related.begin(),
                       {earlier.name + " called by", runtime.stacks().at(earlier.stack)});
  runtime.log().write_once(event);
}

/// The accesses of the work that has begun.
class WorkAccesses {
 public:
  explicit WorkAccesses(Runtime& runtime) : runtime_(runtime) {}

  void operator()(const LaunchWork& work) {
    const std::vector<AccessedRange> accesses = runtime_.take_accesses();
    if (accesses.empty()) return;
    kernel_ = runtime_.binaries().kernel(work.host)->info.entry;
    const std::string name = fmt::format("launch {} of {}", runtime_.launches(), demangle(kernel_));
    for (const AccessedRange& range : accesses) note(range, name, "");
    report();
  }
  void operator()(const CopyWork& work) {
    note_region(work.from, work.region, kReads, work.function);
    note_region(work.to, work.region, kWrites, work.function);
    report();
  }
  void operator()(const FillWork& work) {
    note_region(work.to, work.region, kWrites, work.function);
    report();
  }
  void operator()(const LibraryWork& work) {
    for (const AccessedRange& range : runtime_.take_accesses()) note(range, work.function, "");
    report();
  }
  void operator()(const FreeWork& work) { note_lifetime(work.address, "cudaFreeAsync", "frees"); }
  template <typename Other>
  void operator()(const Other&) {}

  void note_lifetime(const void* address, const char* function, const char* verb) {
    const auto memory = runtime_.session().containing(address_of(address));
    if (!memory) return;
    note({memory->address, memory->bytes, kWrites}, function, verb);
    report();
  }

 private:
  void note(const AccessedRange& range, const std::string& name, const char* verb) {
    const std::size_t first = conflicts_.size();
    runtime_.order().access(range, name, verb, conflicts_);
    for (std::size_t i = first; i < conflicts_.size(); ++i) conflicts_[i].place = range.place;
  }

  void note(std::uint64_t address, std::size_t bytes, const AccessKinds& kinds,
            const char* function) {
    for (const device::AddressRange& range : runtime_.session().memory_at(address, bytes)) {
      note({range.address, range.bytes, kinds}, function, "");
    }
  }

  /// Pageable memory of the host is not part of the session: such copies use it before they return.
  void note_region(const RegionPlace& place, const Region& region, const AccessKinds& kinds,
                   const char* function) {
    if (!runtime_.session().containing(place.address)) return;
    const bool no_gaps = region.slices == 1 && place.pitch == region.bytes;
    const std::size_t rows = no_gaps ? 1 : region.rows;
    const std::size_t bytes = no_gaps ? region.bytes * region.rows : region.bytes;
    for (std::size_t slice = 0; slice < region.slices; ++slice) {
      for (std::size_t row = 0; row < rows; ++row) {
        note(place.address + slice * place.slice_pitch + row * place.pitch, bytes, kinds, function);
      }
    }
  }

  void report() const {
    for (const WorkConflict& conflict : conflicts_) {
      report_race(runtime_, conflict, runtime_.order().current(), kernel_);
    }
  }

  Runtime& runtime_;
  std::string kernel_;
  std::vector<WorkConflict> conflicts_;
};

cudaError_t execute_and_note(Runtime& runtime, const Work& work) {
  const cudaError_t error = execute(runtime, work);
  if (error == cudaSuccess) std::visit(WorkAccesses(runtime), work);
  return error;
}

/// Copies wait but for those whose functions end with "Async", and these too if they write pageable
/// memory of the host. Fills wait if they write pinned memory, but for "Async".
bool host_waits(Runtime& runtime, const Work& work) {
  const auto is_async = [](std::string_view function) { return function.ends_with("Async"); };
  if (const auto* const copy = std::get_if<CopyWork>(&work)) {
    return !is_async(copy->function) || !runtime.session().containing(copy->to.address);
  }
  const auto* const fill = std::get_if<FillWork>(&work);
  if (fill == nullptr || is_async(fill->function)) return false;
  const auto memory = runtime.session().containing(fill->to.address);
  return memory && memory->kind == device::MemoryKind::host_visible;
}

}  // namespace

OrderedStream ordered(cudaStream_t stream) {
  if (is_legacy(stream)) return {kLegacyId, StreamKind::legacy};
  if (const CUstream_st* const own = own_stream(stream)) {
    const bool blocking = (own->flags & cudaStreamNonBlocking) == 0;
    return {own->id, blocking ? StreamKind::blocking : StreamKind::non_blocking};
  }
  static StreamId threads = kFirstOfThreads;
  thread_local const StreamId thread_stream = ++threads;
  Runtime::instance().order().activate();
  return {thread_stream, StreamKind::blocking};
}

cudaError_t execute_in_order(Runtime& runtime, cudaStream_t stream, const Work& work) {
  StreamOrder& order = runtime.order();
  const OrderedStream at = ordered(stream);
  const auto* const launch = std::get_if<LaunchWork>(&work);
  const bool launches_dependents =
      launch != nullptr && runtime.binaries().kernel(launch->host)->info.launches_dependents;
  if (launches_dependents) order.activate();
  if (!order.active()) return execute(runtime, work);
  if (const auto* const record = std::get_if<RecordWork>(&work)) {
    order.record(record->event, at);
    return execute(runtime, work);
  }
  order.begin(at, runtime.stacks().add_current(), launch != nullptr && launch->programmatic);
  const cudaError_t error = execute_and_note(runtime, work);
  order.end(launches_dependents);
  if (host_waits(runtime, work)) order.host_waits(at);
  return error;
}

cudaError_t execute_node(Runtime& runtime, GraphOrder& graph, const void* node,
                         const std::vector<const void*>& dependencies, const Work& work) {
  StreamOrder& order = runtime.order();
  graph.calls_host = graph.calls_host || std::holds_alternative<HostWork>(work);
  if (const auto* const record = std::get_if<RecordWork>(&work)) {
    graph.events.push_back(record->event);
  }
  order.begin(graph, dependencies, runtime.stacks().add_current());
  if (const auto* const wait = std::get_if<WaitWork>(&work)) order.wait(graph, wait->event);
  const cudaError_t error = execute_and_note(runtime, work);
  order.end(graph, node);
  return error;
}

void note_lifetime(Runtime& runtime, const char* function, const char* verb, const void* address,
                   cudaStream_t stream) {
  StreamOrder& order = runtime.order();
  const OrderedStream at = ordered(stream);
  if (!order.active()) return;
  order.begin(at, runtime.stacks().add_current());
  WorkAccesses(runtime).note_lifetime(address, function, verb);
  order.end();
}

}  // namespace warpcheck::runtime
