#include "tests/device/virtual/session/fixture.hpp"

#include <fmt/format.h>

#include "report/finding/message.hpp"

namespace warpcheck::device::test {

std::string module_text(std::string_view text) {
  return fmt::format(".version 9.0\n.target sm_90\n.address_size 64\n{}", text);
}

std::string entry(std::string_view name, std::string_view body) {
  return fmt::format(
      ".visible .entry {}(.param .u64 pointer)\n{{\n"
      "  .reg .b64 %p, %own, %d<8>;\n  .reg .b32 %me, %r<8>;\n  .reg .pred %q<4>;\n"
      "  ld.param.u64 %p, [pointer];\n  mov.u32 %me, %tid.x;\n"
      "  mad.wide.u32 %own, %me, 4, %p;\n{}\n  ret;\n}}\n",
      name, body);
}

std::vector<std::string> texts(const std::vector<Finding>& findings) {
  std::vector<std::string> all;
  for (const Finding& finding : findings) {
    all.push_back(fmt::format("{}: {}", name(finding.kind), report::message_text(finding)));
  }
  return all;
}

std::uint64_t SessionTest::allocate(std::size_t bytes, const std::string& name, MemoryKind kind) {
  return session->allocate({bytes, kind, name}).value();
}

std::uint64_t SessionTest::allocate(const Words& words, const std::string& name) {
  const std::uint64_t address = allocate(4 * words.size(), name);
  EXPECT_FALSE(session->write(address, std::as_bytes(std::span(words))));
  return address;
}

ModuleId SessionTest::load(std::string_view text) {
  return session->load(module_text(text), "test.ptx");
}

Words SessionTest::read(std::uint64_t address, std::size_t words) {
  Words values(words);
  EXPECT_FALSE(session->read(address, std::as_writable_bytes(std::span(values)), nullptr));
  return values;
}

std::size_t SessionTest::undefined(std::uint64_t address, std::size_t bytes) {
  std::vector<std::byte> contents(bytes);
  std::size_t count = 0;
  EXPECT_FALSE(session->read(address, contents, &count));
  return count;
}

}  // namespace warpcheck::device::test
