#include "runtime/blas/kernels/elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "device/virtual/semantics/formats.hpp"

namespace warpcheck::runtime {
namespace {

struct ElementFormat {
  cudaDataType type;
  const char* name;
  std::size_t bytes;
  cudaDataType real;
};

constexpr std::array kElementFormats = {
    ElementFormat{CUDA_R_8I, "CUDA_R_8I", 1, CUDA_R_8I},
    ElementFormat{CUDA_R_32I, "CUDA_R_32I", 4, CUDA_R_32I},
    ElementFormat{CUDA_R_64I, "CUDA_R_64I", 8, CUDA_R_64I},
    ElementFormat{CUDA_R_8F_E4M3, "CUDA_R_8F_E4M3", 1, CUDA_R_8F_E4M3},
    ElementFormat{CUDA_R_8F_E5M2, "CUDA_R_8F_E5M2", 1, CUDA_R_8F_E5M2},
    ElementFormat{CUDA_R_16F, "CUDA_R_16F", 2, CUDA_R_16F},
    ElementFormat{CUDA_R_16BF, "CUDA_R_16BF", 2, CUDA_R_16BF},
    ElementFormat{CUDA_R_32F, "CUDA_R_32F", 4, CUDA_R_32F},
    ElementFormat{CUDA_R_64F, "CUDA_R_64F", 8, CUDA_R_64F},
    ElementFormat{CUDA_C_8I, "CUDA_C_8I", 2, CUDA_R_8I},
    ElementFormat{CUDA_C_32F, "CUDA_C_32F", 8, CUDA_R_32F},
    ElementFormat{CUDA_C_64F, "CUDA_C_64F", 16, CUDA_R_64F},
};

const ElementFormat* format_of(cudaDataType type) {
  const auto found = std::find_if(kElementFormats.begin(), kElementFormats.end(),
                                  [&](const ElementFormat& format) { return format.type == type; });
  return found == kElementFormats.end() ? nullptr : &*found;
}

template <class Element>
struct Pair {
  Element real;
  Element imaginary;
};

template <class T>
constexpr bool kIsComplex = false;
template <class T>
constexpr bool kIsComplex<std::complex<T>> = true;
template <class T>
constexpr bool kIsPair = false;
template <class T>
constexpr bool kIsPair<Pair<T>> = true;

/// Calls use(element) with an element of the format, whose value does not matter.
template <class Use>
void with_format(cudaDataType type, Use use) {
  switch (type) {
    case CUDA_R_8I:
      return use(std::int8_t{});
    case CUDA_R_32I:
      return use(std::int32_t{});
    case CUDA_R_64I:
      return use(std::int64_t{});
    case CUDA_R_8F_E4M3:
      return use(semantics::e4m3{});
    case CUDA_R_8F_E5M2:
      return use(semantics::e5m2{});
    case CUDA_R_16F:
      return use(semantics::f16{});
    case CUDA_R_16BF:
      return use(semantics::bf16{});
    case CUDA_R_32F:
      return use(float{});
    case CUDA_R_64F:
      return use(double{});
    case CUDA_C_8I:
      return use(Pair<std::int8_t>{});
    case CUDA_C_32F:
      return use(Pair<float>{});
    case CUDA_C_64F:
      return use(Pair<double>{});
    default:
      return;
  }
}

template <class Number, class Element>
Number number_of(Element element) {
  if constexpr (kIsPair<Element>) {
    if constexpr (kIsComplex<Number>) {
      using Real = typename Number::value_type;
      return {static_cast<Real>(element.real), static_cast<Real>(element.imaginary)};
    } else {
      return static_cast<Number>(element.real);
    }
  } else if constexpr (kIsComplex<Number>) {
    return number_of<typename Number::value_type>(element);
  } else if constexpr (std::is_arithmetic_v<Element>) {
    return static_cast<Number>(element);
  } else {
    return static_cast<Number>(semantics::widen(element));
  }
}

template <class Element, class Number>
Element element_of(Number number) {
  if constexpr (kIsPair<Element>) {
    using Part = decltype(Element::real);
    if constexpr (kIsComplex<Number>) {
      return {element_of<Part>(number.real()), element_of<Part>(number.imag())};
    } else {
      return {element_of<Part>(number), Part{}};
    }
  } else if constexpr (kIsComplex<Number>) {
    return element_of<Element>(number.real());
  } else if constexpr (std::is_same_v<Element, std::int8_t>) {
    const double nearest = std::nearbyint(static_cast<double>(number));
    return static_cast<std::int8_t>(std::isnan(nearest) ? 0.0 : std::clamp(nearest, -128.0, 127.0));
  } else if constexpr (std::is_arithmetic_v<Element>) {
    return static_cast<Element>(number);
  } else {
    constexpr bool saturates = sizeof(Element) == 1;
    return semantics::narrow<Element, semantics::Rounding::rn, saturates>(
        static_cast<double>(number));
  }
}

}  // namespace

std::string describe(cudaDataType type) {
  const ElementFormat* const format = format_of(type);
  return format == nullptr ? std::to_string(static_cast<int>(type)) : format->name;
}

std::size_t size_of(cudaDataType type) {
  const ElementFormat* const format = format_of(type);
  return format == nullptr ? 0 : format->bytes;
}

bool is_complex(cudaDataType type) { return real_type(type) != type; }

cudaDataType real_type(cudaDataType type) {
  const ElementFormat* const format = format_of(type);
  return format == nullptr ? type : format->real;
}

template <class Number>
void load_elements(cudaDataType type, const std::byte* from, std::size_t count, Number* to) {
  with_format(type, [&](auto element) {
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(&element, from + i * sizeof element, sizeof element);
      to[i] = number_of<Number>(element);
    }
  });
}

template <class Number>
void store_elements(cudaDataType type, const Number* from, std::size_t count, std::byte* to) {
  with_format(type, [&](auto element) {
    for (std::size_t i = 0; i < count; ++i) {
      element = element_of<decltype(element)>(from[i]);
      std::memcpy(to + i * sizeof element, &element, sizeof element);
    }
  });
}

#define WARPCHECK_NUMBER(Number)                                                     \
  template void load_elements(cudaDataType, const std::byte*, std::size_t, Number*); \
  template void store_elements(cudaDataType, const Number*, std::size_t, std::byte*);
WARPCHECK_NUMBER(float)
WARPCHECK_NUMBER(double)
WARPCHECK_NUMBER(std::complex<float>)
WARPCHECK_NUMBER(std::complex<double>)
WARPCHECK_NUMBER(std::int32_t)
WARPCHECK_NUMBER(std::int64_t)
#undef WARPCHECK_NUMBER

}  // namespace warpcheck::runtime
