// The text and the result of printf, against the C library's.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "device/virtual/isa/control/printf_format.hpp"

namespace warpcheck::isa {
namespace {

/// The arguments as nvcc stores them: consecutive, each on its natural boundary.
class Stored {
 public:
  Stored& word(std::uint32_t value) { return store(value); }
  Stored& wide(std::uint64_t value) { return store(value); }
  Stored& real(double value) { return store(value); }

  [[nodiscard]] Printed print(std::string_view format) const {
    std::size_t place = 0;
    const auto next = [&](std::size_t size) {
      place = (place + size - 1) / size * size;
      std::uint64_t value = 0;
      if (place + size <= bytes_.size()) std::memcpy(&value, bytes_.data() + place, size);
      place += size;
      return value;
    };
    return format_printf(format, {next, [](std::uint64_t) { return std::string("text"); }});
  }
  [[nodiscard]] std::string text(std::string_view format) const { return print(format).text; }

 private:
  template <class T>
  Stored& store(T value) {
    bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value);
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof value);
    return *this;
  }

  std::vector<std::byte> bytes_;
};

TEST(Printf, ReturnsTheNumberOfArguments) {
  EXPECT_EQ(Stored().print("none %%").arguments, 0U);
  EXPECT_EQ(Stored().word(1).wide(2).real(3.0).print("%d %lld %f").arguments, 3U);
  EXPECT_EQ(Stored().word(5).word(1).print("%*d").arguments, 2U);
}

TEST(Printf, ShortIntegersAreCut) {
  EXPECT_EQ(Stored().word(0x12348001).text("%hd"), "-32767");
  EXPECT_EQ(Stored().word(0x12348001).text("%hu"), "32769");
  EXPECT_EQ(Stored().word(0x123480ff).text("%hhd"), "-1");
  EXPECT_EQ(Stored().word(0x123480ff).text("%hhx"), "ff");
  EXPECT_EQ(Stored().word(0xffffffff).text("%d"), "-1");
}

TEST(Printf, WidthAndPrecisionAreApplied) {
  EXPECT_EQ(Stored().word(42).text("[%6d|"), "[    42|");
  EXPECT_EQ(Stored().word(42).text("[%-6d|"), "[42    |");
  EXPECT_EQ(Stored().word(42).text("[%06d|"), "[000042|");
  EXPECT_EQ(Stored().word(7).word(42).text("[%*d|"), "[     42|");
  EXPECT_EQ(Stored().word(static_cast<std::uint32_t>(-5)).word(42).text("[%*d|"), "[42   |");
  EXPECT_EQ(Stored().real(3.14159).text("%.2f"), "3.14");
  EXPECT_EQ(Stored().word(static_cast<std::uint32_t>(-1)).real(0.5).text("%.*f"), "0.500000");
  EXPECT_EQ(Stored().wide(0).text("%.2s"), "te");
}

TEST(Printf, PointerHasAWidth) {
  EXPECT_EQ(Stored().wide(0x1234).text("[%p]"), "[0x1234]");
  EXPECT_EQ(Stored().wide(0x1234).text("[%10p]"), "[    0x1234]");
  EXPECT_EQ(Stored().wide(0x1234).text("[%-10p]"), "[0x1234    ]");
}

TEST(Printf, WidthsBeyondAnIntegerAreCut) {
  EXPECT_EQ(Stored().word(1).text("%99999999999999999999d").size(), 4095U);
  EXPECT_EQ(Stored().word(0x7fffffff).word(1).text("%*d").size(), 4095U);
  EXPECT_EQ(Stored().word(0x80000000).word(1).text("%*d").size(), 4095U);
  EXPECT_LE(Stored().real(1.0).text("%.4294967296f").size(), 4097U);
}

TEST(Printf, IncompleteConversionIsPrinted) {
  EXPECT_EQ(Stored().text("50%"), "50%");
  EXPECT_EQ(Stored().text("%5.2l"), "%5.2l");
  EXPECT_EQ(Stored().text("%y"), "%y");
}

}  // namespace
}  // namespace warpcheck::isa
