// The messages between a device and its worker process, as values and as bytes. They contain no
// buffers: these are in memory that both processes share (see image.hpp).
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

/// A kernel parameter: its bytes, of which the pointers replace some.
struct Parameter {
  std::vector<std::byte> bytes;
  std::vector<ImagePointer> pointers;
  bool is_tensor_map =
      false;  // the bytes are those of encode(TensorMap); pointers[0] is its address

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct KernelCall {
  std::string entry;
  Dim3 grid;
  Dim3 block;
  std::uint64_t shared_bytes = 0;
  std::vector<Parameter> parameters;
  Dim3 cluster{0, 0, 0};  // blocks; 0: as the kernel declares

  friend bool operator==(const KernelCall&, const KernelCall&) = default;
};

struct Request {
  enum class Kind : std::uint8_t {
    load,
    run,         // all calls at once
    run_singly,  // each call after the end of the one before, so that a failure names its call;
                 // measures them
  };

  Kind kind = Kind::load;
  std::uint64_t program = 0;      // the worker's key of the module
  std::string ptx;                // load
  std::uint64_t image_bytes = 0;  // of a run
  std::vector<KernelCall> calls;  // of a run

  friend bool operator==(const Request&, const Request&) = default;
};

struct Reply {
  enum class Status : std::uint8_t {
    done,
    unknown_program,  // the program must be loaded first
    rejected,         // the PTX is wrong; `text` is the driver's log
    unusable,         // the machine cannot execute the request; `text` is the reason
    failed,           // the driver returned `result`, described by `text`, for call number `call`
                      // or, unless they run singly, for one before it
  };

  Status status = Status::done;
  std::int32_t result = 0;
  std::uint64_t call = 0;
  std::string text;
  double seconds = 0.0;
  std::uint64_t gpus = 0;  // in the first reply: bit i is GPU number i, of the model of this one

  friend bool operator==(const Reply&, const Reply&) = default;
};

[[nodiscard]] std::vector<std::byte> encode(const Request& request);
[[nodiscard]] std::vector<std::byte> encode(const Reply& reply);

/// The inverse functions. They throw std::runtime_error if the bytes are not such a message.
[[nodiscard]] Request decode_request(std::span<const std::byte> bytes);
[[nodiscard]] Reply decode_reply(std::span<const std::byte> bytes);

}  // namespace warpcheck::device::cuda
