// The messages between a device and its worker process, as values and as bytes. They contain no
// buffers, which are in memory that both processes share (see image.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device/finding.hpp"

namespace warpcheck::device::cuda {

/// A pointer of 8 bytes at `offset` of a parameter: the address of byte `target` of the image.
struct ImagePointer {
  std::uint64_t offset = 0;
  std::uint64_t target = 0;

  friend bool operator==(const ImagePointer&, const ImagePointer&) = default;
};

/// A kernel parameter: its bytes, some of which the pointers replace.
struct Parameter {
  std::vector<std::byte> bytes;
  std::vector<ImagePointer> pointers;
  // True: the bytes are those of encode(TensorMap), and pointers[0] is its address.
  bool is_tensor_map = false;

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct KernelCall {
  std::string entry;
  Dim3 grid;
  Dim3 block;
  std::uint64_t shared_bytes = 0;
  std::vector<Parameter> parameters;
  Dim3 cluster{0, 0, 0};  // blocks of a cluster; 0: the kernel's own cluster size

  friend bool operator==(const KernelCall&, const KernelCall&) = default;
};

struct Request {
  enum class Kind : std::uint8_t {
    load,
    run,  // makes all calls at once
    // Makes each call after the previous one ends, so that a failure names its call; measures them.
    run_singly,
  };

  Kind kind = Kind::load;
  std::uint64_t program = 0;      // key of the module in the worker
  std::string ptx;                // PTX text of `load`
  std::uint64_t image_bytes = 0;  // size of the image of `run` and `run_singly`
  std::vector<KernelCall> calls;  // calls of `run` and `run_singly`

  friend bool operator==(const Request&, const Request&) = default;
};

struct Reply {
  enum class Status : std::uint8_t {
    done,
    unknown_program,  // the program must be loaded first
    rejected,         // the PTX is wrong; `text` is the driver's log
    unusable,         // the machine cannot execute the request; `text` is the reason
    // The driver returned `result`, described by `text`, for call number `call`. Unless the calls
    // run singly, an earlier call may have caused it.
    failed,
  };

  Status status = Status::done;
  std::int32_t result = 0;
  std::uint64_t call = 0;
  std::string text;
  double seconds = 0.0;
  // Set in the first reply: bit i is GPU number i, for GPUs of the model of this one.
  std::uint64_t gpus = 0;

  friend bool operator==(const Reply&, const Reply&) = default;
};

[[nodiscard]] std::vector<std::byte> encode(const Request& request);
[[nodiscard]] std::vector<std::byte> encode(const Reply& reply);

/// Decodes a message. Throws std::runtime_error if the bytes are not such a message.
[[nodiscard]] Request decode_request(std::span<const std::byte> bytes);
[[nodiscard]] Reply decode_reply(std::span<const std::byte> bytes);

}  // namespace warpcheck::device::cuda
