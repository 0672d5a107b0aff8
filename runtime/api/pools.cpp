// Memory pools. A pool limits nothing: all memory is that of the device.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/work/capture.hpp"
#include "runtime/work/streams.hpp"

using namespace warpcheck::runtime;

struct CUmemPoolHandle_st {
  std::map<std::uint64_t, std::size_t> blocks;  // addresses and bytes, of some that are freed too
  std::uint64_t release_threshold = 0;
  std::uint64_t most_used = 0;
  std::map<cudaMemPoolAttr, int> flags;  // attributes that the program has set

  /// Bytes of the blocks that are not freed.
  std::uint64_t used(Runtime& runtime) {
    std::uint64_t bytes = 0;
    std::erase_if(blocks, [&](const auto& block) {
      if (runtime.allocation_at(block.first) == nullptr) return true;
      bytes += block.second;
      return false;
    });
    most_used = std::max(most_used, bytes);
    return bytes;
  }
};

namespace {

/// The first one is that of the device.
std::vector<std::unique_ptr<CUmemPoolHandle_st>>& pools() {
  static auto* const all = [] {
    auto* const made = new std::vector<std::unique_ptr<CUmemPoolHandle_st>>();
    made->push_back(std::make_unique<CUmemPoolHandle_st>());
    return made;
  }();
  return *all;
}

cudaMemPool_t& current_pool() {
  static cudaMemPool_t pool = pools().front().get();
  return pool;
}

/// Calls body(runtime) if the pool exists.
template <typename Body>
cudaError_t with_pool(const char* function, cudaMemPool_t pool, Body body) {
  return api_call([&](Runtime& runtime) {
    const bool exists = std::any_of(pools().begin(), pools().end(),
                                    [&](const auto& one) { return one.get() == pool; });
    return exists ? body(runtime)
                  : runtime.misuse(cudaErrorInvalidValue,
                                   std::string(function) + ": the memory pool does not exist");
  });
}

cudaError_t give_default(cudaMemPool_t* pool) {
  return api_call([&](Runtime&) {
    *pool = pools().front().get();
    return cudaSuccess;
  });
}

cudaError_t give_current(cudaMemPool_t* pool) {
  return api_call([&](Runtime&) {
    *pool = current_pool();
    return cudaSuccess;
  });
}

cudaError_t set_current(const char* function, cudaMemPool_t pool) {
  return with_pool(function, pool, [&](Runtime&) {
    current_pool() = pool;
    return cudaSuccess;
  });
}

bool is_flag(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolReuseFollowEventDependencies ||
         attribute == cudaMemPoolReuseAllowOpportunistic ||
         attribute == cudaMemPoolReuseAllowInternalDependencies;
}

bool is_highest(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolAttrUsedMemHigh || attribute == cudaMemPoolAttrReservedMemHigh;
}

cudaError_t allocate_from(const char* function, void** pointer, size_t bytes, cudaMemPool_t pool,
                          cudaStream_t stream) {
  return with_pool(function, pool, [&](Runtime& runtime) {
    if (const cudaError_t error = check_stream(runtime, function, stream)) return error;
    const cudaError_t error = allocate_in_order(runtime, function, pointer, bytes, stream);
    if (error == cudaSuccess && bytes != 0) {
      pool->blocks[address_of(*pointer)] = bytes;
      static_cast<void>(pool->used(runtime));
    }
    return error;
  });
}

}  // namespace

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) { return give_default(pool); }
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int) { return give_current(pool); }
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t pool) {
  return set_current("cudaDeviceSetMemPool", pool);
}
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation*, cudaMemAllocationType) {
  return give_default(pool);
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation*, cudaMemAllocationType) {
  return give_current(pool);
}
cudaError_t cudaMemSetMemPool(cudaMemLocation*, cudaMemAllocationType, cudaMemPool_t pool) {
  return set_current("cudaMemSetMemPool", pool);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  return api_call([&](Runtime&) {
    *pool = pools().emplace_back(std::make_unique<CUmemPoolHandle_st>()).get();
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return with_pool("cudaMemPoolDestroy", pool, [&](Runtime& runtime) {
    if (pool == pools().front().get()) {
      return runtime.misuse(cudaErrorInvalidValue,
                            "cudaMemPoolDestroy: the pool is that of the device");
    }
    if (current_pool() == pool) current_pool() = pools().front().get();
    std::erase_if(pools(), [&](const auto& one) { return one.get() == pool; });
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return with_pool("cudaMemPoolTrimTo", pool, [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool("cudaMemPoolSetAttribute", pool, [&](Runtime& runtime) {
    if (is_flag(attribute)) {
      pool->flags[attribute] = *static_cast<const int*>(value);
    } else if (attribute == cudaMemPoolAttrReleaseThreshold) {
      pool->release_threshold = *static_cast<const std::uint64_t*>(value);
    } else if (is_highest(attribute)) {
      pool->most_used = 0;  // the only value that CUDA accepts
    } else {
      return runtime.misuse(cudaErrorInvalidValue,
                            "cudaMemPoolSetAttribute: the attribute cannot be set");
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool("cudaMemPoolGetAttribute", pool, [&](Runtime& runtime) {
    if (is_flag(attribute)) {
      const auto found = pool->flags.find(attribute);
      *static_cast<int*>(value) = found == pool->flags.end() ? 1 : found->second;
      return cudaSuccess;
    }
    const std::uint64_t used = pool->used(runtime);
    std::uint64_t& number = *static_cast<std::uint64_t*>(value);
    number = is_highest(attribute) ? pool->most_used : used;
    if (attribute == cudaMemPoolAttrReleaseThreshold) number = pool->release_threshold;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc*, size_t) {
  return with_pool("cudaMemPoolSetAccess", pool, [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation*) {
  return with_pool("cudaMemPoolGetAccess", pool, [&](Runtime&) {
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return allocate_from("cudaMallocFromPoolAsync", pointer, bytes, pool, stream);
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return allocate_from("cudaMallocAsync", pointer, bytes, current_pool(), stream);
}
