// A hash of texts, for names of cached files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpcheck {

/// 128-bit FNV-1a (Fowler, Noll, Vo; draft-eastlake-fnv). The length of each text is hashed after
/// it, so that ("ab", "c") and ("a", "bc") differ. Not a cryptographic hash.
class ContentHash {
 public:
  void add(std::string_view text);

  /// 32 hexadecimal digits.
  [[nodiscard]] std::string digits() const;

 private:
  __extension__ using Word = unsigned __int128;
  void add_byte(unsigned char byte);
  Word state_ = (Word{0x6c62272e07bb0142U} << 64) | Word{0x62b821756295c58dU};
};

}  // namespace warpcheck
