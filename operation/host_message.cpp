#include "operation/host_message.hpp"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace warpcheck::operation {
namespace {

class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(std::as_bytes(std::span(&value, 1)));
  }
  template <class T>
  void put_all(const T& values) {
    put(std::uint64_t{values.size()});
    put_bytes(std::as_bytes(std::span(values)));
  }
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  void put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  [[nodiscard]] T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  /// Reads a number of elements that have at least `element_bytes` bytes each.
  [[nodiscard]] std::size_t count(std::size_t element_bytes) {
    const auto value = get<std::uint64_t>();
    if (value > bytes_.size() / element_bytes) throw std::runtime_error("the message is cut off");
    return value;
  }
  template <class Values>
  [[nodiscard]] Values all() {
    using Element = typename Values::value_type;
    Values values(count(sizeof(Element)), Element{});
    const auto bytes = take(values.size() * sizeof(Element));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

 private:
  std::span<const std::byte> take(std::size_t bytes) {
    if (bytes > bytes_.size()) throw std::runtime_error("the message is cut off");
    const auto part = bytes_.first(bytes);
    bytes_ = bytes_.subspan(bytes);
    return part;
  }

  std::span<const std::byte> bytes_;
};

}  // namespace

std::vector<std::byte> encode(const HostCall& call) {
  Writer writer;
  writer.put(std::uint64_t{call.inputs.size()});
  for (const HostInput& input : call.inputs) {
    writer.put(input.integer);
    writer.put_all(input.values);
  }
  writer.put_all(call.outputs);
  writer.put_all(call.extents);
  writer.put_all(call.scalars);
  writer.put(call.arithmetic.has_value());
  writer.put(call.arithmetic.value_or(KernelArithmetic{}));
  return std::move(writer).take();
}

HostCall decode_call(std::span<const std::byte> message) {
  Reader reader(message);
  HostCall call;
  call.inputs.resize(reader.count(1));
  for (HostInput& input : call.inputs) {
    input.integer = reader.get<bool>();
    input.values = reader.all<std::vector<double>>();
  }
  call.outputs = reader.all<std::vector<std::size_t>>();
  call.extents = reader.all<std::vector<std::int64_t>>();
  call.scalars = reader.all<std::vector<double>>();
  const bool has_arithmetic = reader.get<bool>();
  const auto arithmetic = reader.get<KernelArithmetic>();
  if (has_arithmetic) call.arithmetic = arithmetic;
  return call;
}

std::vector<std::byte> encode(const HostReply& reply) {
  Writer writer;
  writer.put_all(reply.error);
  writer.put(std::uint64_t{reply.outputs.size()});
  for (const HostOutput& output : reply.outputs) {
    writer.put_all(output.values);
    writer.put_all(output.errors);
  }
  return std::move(writer).take();
}

HostReply decode_reply(std::span<const std::byte> message) {
  Reader reader(message);
  HostReply reply;
  reply.error = reader.all<std::string>();
  reply.outputs.resize(reader.count(1));
  for (HostOutput& output : reply.outputs) {
    output.values = reader.all<std::vector<double>>();
    output.errors = reader.all<std::vector<double>>();
  }
  return reply;
}

}  // namespace warpcheck::operation
