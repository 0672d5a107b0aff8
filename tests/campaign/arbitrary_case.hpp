// RapidCheck generators of cases and contracts.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string>

#include "campaign/case/case.hpp"
#include "campaign/shrink/cases_of.hpp"

namespace rc {

/// Any case that a case line can state. Shrinks each field towards its least value.
template <>
struct Arbitrary<warpcheck::campaign::Case> {
  static Gen<warpcheck::campaign::Case> arbitrary() {
    using warpcheck::campaign::Case;
    using warpcheck::campaign::FieldKind;
    using warpcheck::campaign::kLastRecipe;
    using warpcheck::campaign::LineField;
    using warpcheck::campaign::Recipe;
    return gen::exec([] {
      Case problem;
      problem.variant = "fake";
      for (const LineField& field : line_fields(Case{})) {
        const std::string name(field.name);
        if (*gen::inRange(0, 4) == 0) continue;  // not stated
        if (field.kind == FieldKind::factor) {
          problem.set_value(name, *gen::arbitrary<double>());
        } else {
          const bool is_flag = field.kind == FieldKind::transposition;
          problem.set_value(name, *(is_flag ? gen::inRange<std::int64_t>(0, 2)
                                            : gen::nonNegative<std::int64_t>()));
        }
      }
      problem.data = static_cast<Recipe>(*gen::inRange(0, static_cast<int>(kLastRecipe) + 1));
      problem.seed = *gen::arbitrary<std::uint64_t>();
      problem.property = *gen::element<std::string>("", "matches-reference", "same-bits-twice");
      return problem;
    });
  }
};

}  // namespace rc

namespace warpcheck::campaign::testing {

/// Cases with sizes up to 100 and strides that may be too small for them.
inline rc::Gen<Case> small_case() {
  return rc::gen::map(rc::gen::arbitrary<Case>(), [](Case problem) {
    const auto reduce = [&](const char* field, std::int64_t modulus) {
      problem.set_value(field, problem.whole(field) % modulus);
    };
    for (const char* size : {"m", "n", "k", "lda", "ldb", "ldc"}) reduce(size, 101);
    for (const char* stride : {"stride_a", "stride_b", "stride_c"}) reduce(stride, 20'001);
    for (const char* offset : {"off_a", "off_b", "off_c", "off_bias"}) reduce(offset, 301);
    problem.set_value("batch", 1 + problem.whole("batch") % 5);
    return problem;
  });
}

/// Texts of contracts with different arguments, layouts and domains, none of which is empty.
inline rc::Gen<std::string> contract_text() {
  const auto arguments = rc::gen::element<std::string>(
      R"("a", "b", "c", "m", "n", "k")",
      R"("m", "n", "k", "alpha", "a", "lda", "b", "ldb", "beta", "c", "ldc")",
      R"("ta", "tb", "m", "n", "k", "a", "lda", "b", "ldb", "beta", "c", "d", "ldd", "bias")",
      R"("ta", "a", "lda", "stride_a", "b", "stride_b", "c", "ldc", "stride_c", "m", "n", "k",
         "batch")");
  const auto layout = rc::gen::element<std::string>("row", "col");
  const auto domain =
      rc::gen::element<std::string>("", R"("m == n")", R"("m % 16 == 0", "k % 8 == 0 and k >= 16")",
                                    R"x("lda % 4 == 0", "aligned(a, 16)", "aligned(b, 8)")x",
                                    R"("m == 2 * n", "k <= 40")", R"("m * n <= 64", "n > 0")");
  return rc::gen::apply(
      [](const std::string& words, const std::string& lines, const std::string& requirements) {
        return "[[variant]]\nname = \"fake\"\nkernel = \"gemm<16>\"\noperation = \"gemm\"\n"
               "block = [16, 16]\ngrid = [\"m * n\"]\nlayout = \"" +
               lines + "\"\narguments = [" + words + "]\nrequires = [" + requirements + "]\n";
      },
      arguments, layout, domain);
}

}  // namespace warpcheck::campaign::testing
