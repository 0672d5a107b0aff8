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
    using warpcheck::campaign::kLastRecipe;
    using warpcheck::campaign::Recipe;
    const auto size = gen::nonNegative<std::int64_t>();
    const auto recipe = gen::map(gen::inRange(0, static_cast<int>(kLastRecipe) + 1),
                                 [](int number) { return static_cast<Recipe>(number); });
    return gen::build<Case>(
        gen::set(&Case::variant, gen::just(std::string("fake"))), gen::set(&Case::m, size),
        gen::set(&Case::n, size), gen::set(&Case::k, size), gen::set(&Case::ta),
        gen::set(&Case::tb), gen::set(&Case::batch, size), gen::set(&Case::lda, size),
        gen::set(&Case::ldb, size), gen::set(&Case::ldc, size), gen::set(&Case::stride_a, size),
        gen::set(&Case::stride_b, size), gen::set(&Case::stride_c, size),
        gen::set(&Case::off_a, size), gen::set(&Case::off_b, size), gen::set(&Case::off_c, size),
        gen::set(&Case::off_bias, size), gen::set(&Case::alpha), gen::set(&Case::beta),
        gen::set(&Case::data, recipe), gen::set(&Case::seed),
        gen::set(&Case::property,
                 gen::element<std::string>("", "matches-reference", "same-bits-twice")));
  }
};

}  // namespace rc

namespace warpcheck::campaign::testing {

/// Cases with sizes up to 100 and strides that may be too small for them.
inline rc::Gen<Case> small_case() {
  return rc::gen::map(rc::gen::arbitrary<Case>(), [](Case problem) {
    for (std::int64_t Case::*size :
         {&Case::m, &Case::n, &Case::k, &Case::lda, &Case::ldb, &Case::ldc}) {
      problem.*size %= 101;
    }
    for (std::int64_t Case::*stride : {&Case::stride_a, &Case::stride_b, &Case::stride_c}) {
      problem.*stride %= 20'001;
    }
    for (std::int64_t Case::*offset : {&Case::off_a, &Case::off_b, &Case::off_c, &Case::off_bias}) {
      problem.*offset %= 301;
    }
    problem.batch = 1 + problem.batch % 5;
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
