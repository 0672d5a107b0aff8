#include "device/cuda/message.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace warpcheck::device::cuda {
namespace {

class Writer {
 public:
  template <typename T>
  void put(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof(T));
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    bytes_.insert(bytes_.end(), first, first + text.size());
  }
  void put(const std::vector<std::byte>& bytes) {
    put(std::uint64_t{bytes.size()});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void put(const Dim3& extent) {
    put(extent.x);
    put(extent.y);
    put(extent.z);
  }
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  /// Reads an enumerator up to and including `last`.
  template <typename Enum>
  Enum get_up_to(Enum last) {
    const auto value = get<std::underlying_type_t<Enum>>();
    if (value > static_cast<std::underlying_type_t<Enum>>(last)) {
      throw std::runtime_error(fmt::format("worker message has unknown kind {}", value));
    }
    return static_cast<Enum>(value);
  }
  std::string text() {
    const auto size = get<std::uint64_t>();
    const auto part = take(size);
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }
  std::vector<std::byte> bytes() {
    const auto part = take(get<std::uint64_t>());
    return {part.begin(), part.end()};
  }
  Dim3 extent() {
    Dim3 result;
    result.x = get<unsigned>();
    result.y = get<unsigned>();
    result.z = get<unsigned>();
    return result;
  }
  /// Reads a number of elements of at least `least_bytes` each. A number that exceeds the remaining
  /// bytes is an error, reported before memory is allocated.
  std::size_t count(std::size_t least_bytes) {
    const auto value = get<std::uint64_t>();
    if (value > bytes_.size() / least_bytes) {
      throw std::runtime_error(
          fmt::format("worker message declares {} elements in {} bytes", value, bytes_.size()));
    }
    return value;
  }
  void expect_end() const {
    if (!bytes_.empty()) {
      throw std::runtime_error(fmt::format("worker message has {} bytes too many", bytes_.size()));
    }
  }

 private:
  std::span<const std::byte> take(std::uint64_t count) {
    if (count > bytes_.size()) {
      throw std::runtime_error(fmt::format("worker message ends early: {} bytes found, {} expected",
                                           bytes_.size(), count));
    }
    const auto part = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return part;
  }

  std::span<const std::byte> bytes_;
};

void put_call(Writer& writer, const KernelCall& call) {
  writer.put(call.entry);
  writer.put(call.grid);
  writer.put(call.block);
  writer.put(call.shared_bytes);
  writer.put(call.cluster);
  writer.put(std::uint64_t{call.parameters.size()});
  for (const Parameter& parameter : call.parameters) {
    writer.put(parameter.bytes);
    writer.put(std::uint8_t{parameter.is_tensor_map});
    writer.put(std::uint64_t{parameter.pointers.size()});
    for (const ImagePointer& pointer : parameter.pointers) {
      writer.put(pointer.offset);
      writer.put(pointer.target);
    }
  }
}

KernelCall get_call(Reader& reader) {
  KernelCall call;
  call.entry = reader.text();
  call.grid = reader.extent();
  call.block = reader.extent();
  call.shared_bytes = reader.get<std::uint64_t>();
  call.cluster = reader.extent();
  call.parameters.resize(reader.count(16));
  for (Parameter& parameter : call.parameters) {
    parameter.bytes = reader.bytes();
    parameter.is_tensor_map = reader.get<std::uint8_t>() != 0;
    parameter.pointers.resize(reader.count(16));
    for (ImagePointer& pointer : parameter.pointers) {
      pointer.offset = reader.get<std::uint64_t>();
      pointer.target = reader.get<std::uint64_t>();
      if (parameter.bytes.size() < 8 || pointer.offset > parameter.bytes.size() - 8) {
        throw std::runtime_error("worker message has a pointer beyond its parameter");
      }
    }
  }
  return call;
}

}  // namespace

std::vector<std::byte> encode(const Request& request) {
  Writer writer;
  writer.put(request.kind);
  writer.put(request.program);
  writer.put(request.ptx);
  writer.put(request.image_bytes);
  writer.put(std::uint64_t{request.calls.size()});
  for (const KernelCall& call : request.calls) put_call(writer, call);
  return std::move(writer).take();
}

std::vector<std::byte> encode(const Reply& reply) {
  Writer writer;
  writer.put(reply.status);
  writer.put(reply.result);
  writer.put(reply.call);
  writer.put(reply.text);
  writer.put(reply.seconds);
  writer.put(reply.gpus);
  return std::move(writer).take();
}

Request decode_request(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Request request;
  request.kind = reader.get_up_to(Request::Kind::run_singly);
  request.program = reader.get<std::uint64_t>();
  request.ptx = reader.text();
  request.image_bytes = reader.get<std::uint64_t>();
  const std::size_t calls = reader.count(48);
  for (std::size_t i = 0; i < calls; ++i) request.calls.push_back(get_call(reader));
  reader.expect_end();
  return request;
}

Reply decode_reply(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Reply reply;
  reply.status = reader.get_up_to(Reply::Status::failed);
  reply.result = reader.get<std::int32_t>();
  reply.call = reader.get<std::uint64_t>();
  reply.text = reader.text();
  reply.seconds = reader.get<double>();
  reply.gpus = reader.get<std::uint64_t>();
  reader.expect_end();
  return reply;
}

}  // namespace warpcheck::device::cuda
