#include "fuzz/checked_variants.hpp"

#include <cstdlib>

namespace warpcheck::fuzz {

const std::vector<contract::Variant>& checked_variants() {
  static const char* const kPath = std::getenv("WARPCHECK_FUZZ_VARIANTS");
  static const std::vector<contract::Variant> kVariants =
      kPath == nullptr ? contract::builtin_variants() : contract::variants_at(kPath);
  return kVariants;
}

}  // namespace warpcheck::fuzz
