#include "device/virtual/machine/block/frame.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace warpcheck::machine {
namespace {

constexpr std::align_val_t kCacheLine{64};

/// The host memory of a frame, with the undefined bits of its registers.
std::uint64_t frame_bytes(const FunctionCode& code) {
  return sizeof(Frame) + 2 * code.value_bytes +
         (code.register_count + code.constant_count) * sizeof(Mask);
}

}  // namespace

void Frame::AlignedDelete::operator()(std::byte* bytes) const {
  ::operator delete[](bytes, kCacheLine);
}

Frame::AlignedBytes Frame::allocate(std::size_t bytes) {
  return AlignedBytes(
      static_cast<std::byte*>(::operator new[](std::max<std::size_t>(bytes, 1), kCacheLine)));
}

Frame::Frame(const FunctionCode& function, std::uint64_t* host_bytes)
    : code(&function),
      value_storage_(allocate(function.value_bytes)),
      defined_storage_(new Mask[function.register_count + function.constant_count]),
      host_bytes_(host_bytes) {
  if (host_bytes_ != nullptr) *host_bytes_ += frame_bytes(function);
  values = value_storage_.get();
  defined = defined_storage_.get();
  std::memset(values, 0, function.constants_offset);
  std::copy(function.constants.begin(), function.constants.end(),
            values + function.constants_offset);
  std::fill_n(defined + function.register_count, function.constant_count, kAllLanes);
  reset();
}

Frame::~Frame() {
  if (host_bytes_ != nullptr) *host_bytes_ -= frame_bytes(*code);
  for (std::shared_ptr<Frame> next = std::move(caller); next && next.use_count() == 1;) {
    next = std::move(next->caller);
  }
}

void Frame::reset() {
  stack_blocks.clear();
  alloca_bytes.fill(0);
  std::fill_n(defined, code->register_count, Mask{0});
  if (undefined_storage_) std::memset(undefined_storage_.get(), 0xff, code->constants_offset);
}

std::byte* Frame::undefined_bits() {
  if (!undefined_storage_) {
    undefined_storage_ = allocate(code->value_bytes);
    std::memset(undefined_storage_.get(), 0xff, code->constants_offset);
    std::memset(undefined_storage_.get() + code->constants_offset, 0,
                code->value_bytes - code->constants_offset);
  }
  return undefined_storage_.get();
}

}  // namespace warpcheck::machine
