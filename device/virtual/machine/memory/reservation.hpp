// Addresses that the host reserves, with memory in some of their parts (CUDA Driver API, "Virtual
// Memory Management").
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "device/session.hpp"
#include "device/virtual/machine/memory/memory.hpp"

namespace warpcheck::machine {

class Reservation {
 public:
  /// Throws std::bad_alloc if the address space of the host is exhausted.
  Reservation(std::string name, std::uint64_t begin, std::size_t bytes);

  [[nodiscard]] std::size_t bytes() const { return data_.size(); }
  /// Replaces all parts, which are consecutive from the first byte on. Adjacent parts with the same
  /// access are one object for accesses.
  void set_parts(std::span<const device::AddressPart> parts);
  [[nodiscard]] Bytes bytes_at(std::uint64_t address, std::size_t bytes) const {
    const std::uint64_t offset = address - begin_;
    return {data_.data() + offset, shadow_.data() + offset, bytes};
  }
  /// The part that contains the address, or the closest one.
  [[nodiscard]] Allocation* near(std::uint64_t address) const;

 private:
  [[nodiscard]] std::unique_ptr<Allocation> make(std::uint64_t address,
                                                 std::span<const device::AddressPart> parts) const;

  std::string name_;
  std::uint64_t begin_;
  SparseBytes data_;
  SparseBytes shadow_;
  std::map<std::uint64_t, std::unique_ptr<Allocation>> parts_;  // maps the first address to a part
};

}  // namespace warpcheck::machine
