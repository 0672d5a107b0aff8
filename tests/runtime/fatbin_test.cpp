#include "runtime/fatbin/fatbin.hpp"

#include <gmock/gmock.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <random>

#include "base/diagnostic.hpp"
#include "base/process/child_process.hpp"
#include "tests/contract/nvcc_test.hpp"

namespace warpcheck::runtime {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

enum class Compression : std::uint64_t { none = 0x11, lz4 = 0x2011, zstd = 0x8011 };

template <typename Value>
void append(std::string& bytes, Value value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string compressed(Compression compression, const std::string& text) {
  std::string packed(text.size() + 1000, '\0');
  if (compression == Compression::lz4) {
    packed.resize(LZ4_compress_default(text.data(), packed.data(), static_cast<int>(text.size()),
                                       static_cast<int>(packed.size())));
  } else {
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  }
  return packed;
}

/// One entry, as `fatbinary` writes it.
std::string entry(std::uint16_t kind, unsigned architecture, Compression compression,
                  const std::string& text) {
  const bool is_packed = compression != Compression::none;
  std::string payload = is_packed ? compressed(compression, text) : text;
  const std::size_t size = payload.size();
  payload.resize((size + 7) / 8 * 8);
  std::string bytes;
  append<std::uint16_t>(bytes, kind);
  append<std::uint16_t>(bytes, 0x101);
  append<std::uint32_t>(bytes, 64);
  append<std::uint64_t>(bytes, payload.size());
  append<std::uint32_t>(bytes, is_packed ? static_cast<std::uint32_t>(size) : 0);
  append<std::uint32_t>(bytes, 0);
  append<std::uint32_t>(bytes, 0x90000);
  append<std::uint32_t>(bytes, architecture);
  append<std::uint64_t>(bytes, 0);
  append(bytes, compression);
  append<std::uint64_t>(bytes, 0);
  append<std::uint64_t>(bytes, is_packed ? text.size() : 0);
  return bytes + payload;
}

std::string container(const std::string& entries) {
  std::string bytes;
  append<std::uint32_t>(bytes, 0xba55ed50);
  append<std::uint32_t>(bytes, 0x100001);
  append<std::uint64_t>(bytes, entries.size());
  return bytes + entries;
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string error_of(const std::string& bytes) {
  try {
    (void)best_ptx(bytes_of(bytes), 90);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kText = ".version 9.0\n" + std::string(1000, '/') + "\n.target sm_80\n";

TEST(FatBinary, EveryCompressionGivesTheSameText) {
  for (const Compression compression : {Compression::none, Compression::lz4, Compression::zstd}) {
    const std::string bytes = container(entry(1, 80, compression, kText));
    EXPECT_EQ(best_ptx(bytes_of(bytes), 90).text, kText);
  }
}

TEST(FatBinary, TheNewestTextThatTheDeviceRunsIsChosen) {
  std::string entries;
  for (const unsigned architecture : {120, 80, 90, 100}) {
    entries += entry(1, architecture, Compression::zstd, std::to_string(architecture));
  }
  const std::string bytes = container(entries);
  EXPECT_EQ(best_ptx(bytes_of(bytes), 90).text, "90");
  EXPECT_EQ(best_ptx(bytes_of(bytes), 89).text, "80");
  EXPECT_EQ(best_ptx(bytes_of(bytes), 75).text, "80");
  EXPECT_EQ(best_ptx(bytes_of(bytes), 103).text, "100");
  EXPECT_EQ(best_ptx(bytes_of(bytes), 103).architecture, 100U);
}

TEST(FatBinary, MachineCodeForTheDeviceAdmitsNewerPtx) {
  const std::string newer = entry(1, 121, Compression::zstd, kText);
  const auto architecture = [&](unsigned code) {
    const std::string bytes = container(newer + entry(2, code, Compression::none, "code"));
    return best_ptx(bytes_of(bytes), 90).architecture;
  };
  EXPECT_EQ(architecture(90), 90U);
  EXPECT_EQ(architecture(80), 121U);
  EXPECT_EQ(architecture(100), 121U);
}

TEST(FatBinary, MachineCodeAloneNamesTheOptionToAdd) {
  const std::string bytes = container(entry(2, 86, Compression::none,
                                            "\x7f"
                                            "ELF"));
  EXPECT_THAT(error_of(bytes), HasSubstr("machine code for sm_86 but no PTX"));
  EXPECT_THAT(error_of(bytes), HasSubstr("-gencode arch=compute_86,code=compute_86"));
}

TEST(FatBinary, EveryTruncationIsAnError) {
  const std::string bytes = container(entry(1, 80, Compression::lz4, kText));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(error_of(bytes.substr(0, size)), HasSubstr("damaged")) << size;
  }
}

TEST(FatBinary, ChangedBytesNeverCrash) {
  std::mt19937 random(1);
  for (const Compression compression : {Compression::none, Compression::lz4, Compression::zstd}) {
    const std::string whole =
        container(entry(1, 80, compression, kText) + entry(1, 90, compression, kText));
    unsigned errors = 0;
    for (int i = 0; i < 2000; ++i) {
      std::string bytes = whole;
      for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
        bytes[random() % bytes.size()] = static_cast<char>(random());
      }
      errors += error_of(bytes) != "no error" ? 1 : 0;
    }
    EXPECT_GT(errors, 0u);
  }
}

class NvccFatBinary : public contract::NvccTest {
 protected:
  std::string fat_binary(const std::vector<std::string>& options) {
    std::vector<std::string> command = {contract::find_nvcc().string(), "-fatbin",
                                        write("k.cu", "__global__ void k(int* p) { *p = 1; }\n"),
                                        "-o", (folder() / "k.fatbin").string()};
    command.insert(command.end(), options.begin(), options.end());
    const ChildResult result = run_child(command);
    EXPECT_EQ(result.status, 0) << result.output;
    return read_file(folder() / "k.fatbin").value_or("");
  }
};

TEST_F(NvccFatBinary, DefaultOptionsEmbedText) {
  const std::string text = best_ptx(bytes_of(fat_binary({"-arch=sm_80"})), 90).text;
  EXPECT_THAT(text, HasSubstr(".entry _Z1kPi("));
  EXPECT_THAT(text, HasSubstr(".target sm_80"));
}

TEST_F(NvccFatBinary, SeveralArchitecturesAreRead) {
  const std::string bytes = fat_binary({"-gencode", "arch=compute_80,code=[compute_80,sm_80]",
                                        "-gencode", "arch=compute_90,code=compute_90", "-gencode",
                                        "arch=compute_120,code=compute_120"});
  EXPECT_THAT(best_ptx(bytes_of(bytes), 90).text, HasSubstr(".target sm_90"));
  EXPECT_THAT(best_ptx(bytes_of(bytes), 86).text, HasSubstr(".target sm_80"));
}

TEST_F(NvccFatBinary, MachineCodeAloneIsRefused) {
  EXPECT_THAT(error_of(fat_binary({"-gencode", "arch=compute_80,code=sm_80"})),
              HasSubstr("machine code for sm_80 but no PTX"));
}

TEST_F(NvccFatBinary, UncompressedTextIsRead) {
  EXPECT_THAT(best_ptx(bytes_of(fat_binary({"-arch=sm_80", "-no-compress"})), 90).text,
              HasSubstr(".entry _Z1kPi("));
}

}  // namespace
}  // namespace warpcheck::runtime
