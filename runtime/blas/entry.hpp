// The exported functions of cuBLAS: a row of a table for each, with the template that implements
// it.
#pragma once

#include <cuComplex.h>
#include <cuda_fp16.h>

#include <complex>
#include <cstddef>
#include <string_view>

#include "runtime/blas/call.hpp"

namespace warpcheck::runtime {

/// A name as users write it: "cublasSgemm" for cublasSgemm_v2.
template <std::size_t size>
struct ExportedName {
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is a template argument
  constexpr ExportedName(const char (&name)[size]) {
    const std::string_view text(name, size - 1);
    const std::size_t version = text.find("_v2");
    std::size_t used = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool is_version = version <= i && i < version + 3;
      if (!is_version) letters[used++] = text[i];
    }
  }

  char letters[size] = {};
};

/// The function with the parameters of the implementation, whose first one is the call.
template <ExportedName kName, auto kBody>
struct BlasFunction;
template <ExportedName kName, class... Arguments, cublasStatus_t (*kBody)(BlasCall&, Arguments...)>
struct BlasFunction<kName, kBody> {
  static cublasStatus_t call(cublasHandle_t handle, Arguments... arguments) {
    return blas_call(kName.letters, handle,
                     [&](BlasCall& call) { return kBody(call, arguments...); });
  }
};

/// The element types of the typed functions.
template <class Element>
inline constexpr cudaDataType kTypeOf = CUDA_R_32F;
template <>
inline constexpr cudaDataType kTypeOf<double> = CUDA_R_64F;
template <>
inline constexpr cudaDataType kTypeOf<__half> = CUDA_R_16F;
template <>
inline constexpr cudaDataType kTypeOf<cuComplex> = CUDA_C_32F;
template <>
inline constexpr cudaDataType kTypeOf<cuDoubleComplex> = CUDA_C_64F;

/// The number 1 in an element type.
template <class Element>
[[nodiscard]] Element one_of() {
  if constexpr (kTypeOf<Element> == CUDA_C_32F || kTypeOf<Element> == CUDA_C_64F) {
    return {1, 0};
  } else {
    return 1;
  }
}

/// Calls use(number) with a number of the type with which functions of this type compute.
template <class Use>
auto with_number(cudaDataType type, Use use) {
  switch (type) {
    case CUDA_R_64F:
      return use(double{});
    case CUDA_C_32F:
      return use(std::complex<float>{});
    case CUDA_C_64F:
      return use(std::complex<double>{});
    default:
      return use(float{});
  }
}

}  // namespace warpcheck::runtime

// A row: an exported function, and the template that implements it. The linker resolves the
// function to one with the parameters of the template; the compiler compares them with the
// declaration of the Toolkit. A resolver is called before this library is relocated: the template
// must not be visible outside.
#define WARPCHECK_BLAS(name, ...)                                                                  \
  auto resolve_##name() { return &warpcheck::runtime::BlasFunction<#name, __VA_ARGS__>::call; }    \
  extern __attribute__((                                                                           \
      visibility("default"),                                                                       \
      ifunc(                                                                                       \
          "resolve_" #name))) decltype(warpcheck::runtime::BlasFunction<#name, __VA_ARGS__>::call) \
      name;

// The same with its form for 64-bit integers. `body`: a template of the integer.
#define WARPCHECK_BLAS_64(name, suffix, body, ...)      \
  WARPCHECK_BLAS(name##suffix, &body<__VA_ARGS__, int>) \
  WARPCHECK_BLAS(name##suffix##_64, &body<__VA_ARGS__, std::int64_t>)
#define WARPCHECK_BLAS_EX(name, body) \
  WARPCHECK_BLAS(name, &body<int>)    \
  WARPCHECK_BLAS(name##_64, &body<std::int64_t>)
