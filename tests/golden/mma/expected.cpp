#include <bit>
#include <type_traits>

#include "device/virtual/semantics/float.hpp"
#include "tests/golden/mma/form.hpp"

namespace warpcheck::golden {
namespace {

using semantics::MmaAccumulator;
using semantics::MmaInput;

template <class T>
std::vector<T> as(const Elements& elements) {
  std::vector<T> result;
  for (const std::uint64_t element : elements) {
    if constexpr (std::is_same_v<T, double>)
      result.push_back(std::bit_cast<double>(element));
    else
      result.push_back(static_cast<T>(element));
  }
  return result;
}

std::vector<std::int32_t> integers(MmaType type, const Elements& elements) {
  std::vector<std::int32_t> result;
  const unsigned bits = facts(type).bits;
  const bool is_signed = type == MmaType::s8 || type == MmaType::s4 || type == MmaType::s32;
  for (const std::uint64_t element : elements) {
    const auto top = static_cast<std::int32_t>(static_cast<std::uint32_t>(element << (32 - bits)));
    const auto extended = is_signed
                              ? top >> (32 - bits)
                              : static_cast<std::int32_t>(static_cast<std::uint32_t>(element));
    result.push_back(extended);
  }
  return result;
}

template <class T>
Elements elements(const std::vector<T>& values) {
  Elements result;
  for (const T value : values) {
    if constexpr (std::is_same_v<T, double>)
      result.push_back(std::bit_cast<std::uint64_t>(value));
    else
      result.push_back(static_cast<std::uint32_t>(value));
  }
  return result;
}

MmaInput input(MmaType type) {
  switch (type) {
    case MmaType::bf16:
      return MmaInput::bf16;
    case MmaType::tf32:
      return MmaInput::tf32;
    case MmaType::e4m3:
      return MmaInput::e4m3;
    case MmaType::e5m2:
      return MmaInput::e5m2;
    default:
      return MmaInput::f16;
  }
}

/// The sum is in f32 if only one of C and D is f16, and in the products of m8n8k4.
Elements floats(const MmaForm& form, const semantics::TensorModel& model, const MmaInputs& inputs) {
  const auto a = as<std::uint32_t>(inputs.a);
  const auto b = as<std::uint32_t>(inputs.b);
  auto c = as<std::uint32_t>(inputs.c);
  const bool in_f32 = form.c != form.d || form.products > 1;
  if (in_f32 && form.c == MmaType::f16) {
    for (std::uint32_t& bits : c) {
      bits = semantics::to_bits(semantics::widen(semantics::f16{static_cast<std::uint16_t>(bits)}));
    }
  }
  std::vector<std::uint32_t> d(c.size());
  const auto result = form.d == MmaType::f16 ? MmaAccumulator::f16 : MmaAccumulator::f32;
  const auto [m, n, k] = form.shape;
  if (form.products == 1) {
    mma(model, form.shape, input(form.a), a.data(), input(form.b), b.data(),
        in_f32 ? MmaAccumulator::f32 : result, c.data(), d.data());
  } else {
    for (int i = 0; i < form.products; ++i) {
      mma_by_fma(form.shape, a.data() + i * m * k, b.data() + i * k * n, result,
                 c.data() + i * m * n, d.data() + i * m * n);
    }
  }
  if (in_f32 && form.d == MmaType::f16) {
    for (std::uint32_t& bits : d) {
      bits = semantics::narrow<semantics::f16, semantics::Rounding::rn>(
                 static_cast<double>(semantics::from_bits<float>(bits)))
                 .bits;
    }
  }
  return elements(d);
}

}  // namespace

Elements expected(const MmaForm& form, const semantics::TensorModel& model,
                  const MmaInputs& inputs) {
  const std::size_t size = form.shape.m * form.shape.n;
  if (form.c == MmaType::f64) {
    std::vector<double> d(size);
    mma(form.shape, as<double>(inputs.a).data(), as<double>(inputs.b).data(),
        as<double>(inputs.c).data(), d.data());
    return elements(d);
  }
  if (form.c == MmaType::s32) {
    std::vector<std::int32_t> d(size);
    const auto c = integers(form.c, inputs.c);
    if (form.a == MmaType::b1) {
      mma(form.shape, form.bits, as<std::uint32_t>(inputs.a).data(),
          as<std::uint32_t>(inputs.b).data(), c.data(), d.data());
    } else {
      mma(form.shape, integers(form.a, inputs.a).data(), integers(form.b, inputs.b).data(),
          c.data(), d.data(), form.satfinite);
    }
    return elements(d);
  }
  return floats(form, model, inputs);
}

}  // namespace warpcheck::golden
