// A session of the virtual device with shorthands: the fixture of the tests of sessions.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/virtual/session.hpp"

namespace warpcheck::device::test {

using Words = std::vector<std::uint32_t>;

/// A module with `text`: declarations and entries.
[[nodiscard]] std::string module_text(std::string_view text);

/// The entry `name` with a parameter "pointer" (.u64), registers %p (its value), %own (the address
/// of the thread's word behind it), %me (the thread's number in the block), %r0-7, %d0-7, %q0-3,
/// and `body`.
[[nodiscard]] std::string entry(std::string_view name, std::string_view body);

/// The parameter bytes of a kernel: the values one after another, each a multiple of 8 bytes.
template <class... Values>
[[nodiscard]] std::vector<std::byte> parameters(const Values&... values) {
  static_assert(((sizeof(Values) % 8 == 0) && ...));
  std::vector<std::byte> bytes;
  (
      [&] {
        const auto* first = reinterpret_cast<const std::byte*>(&values);
        bytes.insert(bytes.end(), first, first + sizeof values);
      }(),
      ...);
  return bytes;
}

/// "class: message" of each finding, in its order.
[[nodiscard]] std::vector<std::string> texts(const std::vector<Finding>& findings);

class SessionTest : public testing::Test {
 protected:
  std::uint64_t allocate(std::size_t bytes, const std::string& name,
                         MemoryKind kind = MemoryKind::device);
  std::uint64_t allocate(const Words& words, const std::string& name);
  ModuleId load(std::string_view text);
  /// Launches `threads` threads of one block; `values` are the parameters.
  template <class... Values>
  LaunchResult launch(ModuleId module, const std::string& name, unsigned threads,
                      const Values&... values) {
    SessionLaunch what;
    what.entry = name;
    what.block = {threads, 1, 1};
    what.parameters = parameters(values...);
    return session->launch(module, what);
  }
  Words read(std::uint64_t address, std::size_t words);
  /// Bytes of the range that were never written.
  std::size_t undefined(std::uint64_t address, std::size_t bytes);

  std::unique_ptr<Session> session = make_virtual_session();
};

}  // namespace warpcheck::device::test
