// Work of streams: executed when it is submitted, or recorded as the node of a graph.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "runtime/memory.hpp"
#include "runtime/runtime.hpp"

namespace warpcheck::runtime {

struct CopyWork {
  const char* function = "";  // name of the runtime's function, for messages
  RegionPlace to;
  RegionPlace from;
  Region region;
  cudaMemcpyKind kind = cudaMemcpyDefault;
};

/// A copy between memory that is no CUDA array.
[[nodiscard]] CopyWork copy_work(const char* function, const cudaMemcpy3DParms& parameters);

struct FillWork {
  const char* function = "";
  RegionPlace to;
  Region region;
  FillValue value;
};

struct HostWork {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
};

struct RecordWork {
  cudaEvent_t event = nullptr;
};

struct WaitWork {
  cudaEvent_t event = nullptr;
};

struct EmptyWork {};

/// Memory that a node of a graph allocates: it has its address while a graph refers to it.
class GraphMemory {
 public:
  GraphMemory(void* address, std::size_t bytes) : address_(address), bytes_(bytes) {}
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  ~GraphMemory();

  [[nodiscard]] void* address() const { return address_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* address_;
  std::size_t bytes_;
};

/// The memory that graphs which were launched have allocated, as cudaDeviceGetGraphMemAttribute()
/// returns it: the device has it until cudaDeviceGraphMemTrim().
class GraphMemoryUse {
 public:
  /// A node allocates the memory.
  void add(const GraphMemory& memory);
  /// A node frees memory.
  void free(const void* address);
  void remove(const GraphMemory& memory) { freed_.erase(&memory); }
  /// The device loses memory that nodes or the program have freed.
  void trim(Runtime& runtime);
  void reset_high() { high_ = current_; }

  [[nodiscard]] std::uint64_t current() const { return current_; }
  [[nodiscard]] std::uint64_t high() const { return high_; }

 private:
  void update();

  std::map<const GraphMemory*, bool> freed_;
  std::uint64_t current_ = 0;
  std::uint64_t high_ = 0;
};
[[nodiscard]] GraphMemoryUse& graph_memory_use();

struct AllocateWork {
  std::shared_ptr<const GraphMemory> memory;
};

struct FreeWork {
  void* address = nullptr;
};

struct ChildWork {
  std::shared_ptr<CUgraph_st> graph;  // used by this node alone
};

/// Executes one of its graphs, or none, which the value of its condition selects then;
/// a loop repeats it until the value is 0.
struct ConditionalWork {
  cudaGraphConditionalHandle condition = 0;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<CUgraph_st>> bodies;  // used by this node alone
};

/// A call of a library, such as cuBLAS, whose work on the device is computed by the host. `run`
/// adds its accesses to the runtime.
struct LibraryWork {
  const char* function = "";
  std::function<void(Runtime&)> run;
};

using Work = std::variant<LaunchWork, CopyWork, FillWork, HostWork, RecordWork, WaitWork, EmptyWork,
                          AllocateWork, FreeWork, ChildWork, ConditionalWork, LibraryWork>;

/// Executes work that calls no function of the host. Call this with the runtime locked.
cudaError_t execute(Runtime& runtime, const Work& work);

/// Executes the work, or records it if the stream is being captured. `function`: the name of the
/// runtime's function, for messages.
cudaError_t submit(Runtime& runtime, const char* function, cudaStream_t stream, const Work& work);

/// The same for a launch, whose arguments it reads.
cudaError_t submit_launch(Runtime& runtime, const char* function, cudaStream_t stream,
                          LaunchWork work, void** arguments, void** extra = nullptr);

/// Reads one attribute of a launch. The driver's have the same numbers and layout.
cudaError_t read_attribute(Runtime& runtime, const char* function, cudaLaunchAttributeID id,
                           const cudaLaunchAttributeValue& value, LaunchWork& work);

/// Reports a function that is no kernel.
cudaError_t unknown_kernel(Runtime& runtime, const char* function);

// Both fail for a launch whose clusters no device accepts.

/// The clusters of this launch that are resident together.
cudaError_t count_clusters(Runtime& runtime, const char* function, const LaunchWork& work,
                           int& clusters);
/// Blocks of the largest cluster that such a launch may have; 0: no block fits.
cudaError_t find_largest_cluster(Runtime& runtime, const char* function, const LaunchWork& work,
                                 int& blocks);
/// A launch without its arguments.
cudaError_t read_config(Runtime& runtime, const char* function, const cudaLaunchConfig_t& config,
                        LaunchWork& work);

}  // namespace warpcheck::runtime
