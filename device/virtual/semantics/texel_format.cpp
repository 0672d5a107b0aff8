#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "device/virtual/semantics/formats.hpp"
#include "device/virtual/semantics/texture.hpp"

namespace warpcheck::semantics {
namespace {

using Kind = device::TexelFormat::Kind;

std::uint32_t bits_of_float(float value) { return std::bit_cast<std::uint32_t>(value); }

/// Channel number `channel` of a texel, zero-extended.
std::uint32_t raw_channel(const device::TexelFormat& format, const std::byte* texel,
                          unsigned channel) {
  const unsigned bytes = format.bits / 8;
  std::uint32_t value = 0;
  std::memcpy(&value, texel + channel * bytes, bytes);
  return value;
}

std::int32_t sign_extended(std::uint32_t value, unsigned bits) {
  return static_cast<std::int32_t>(value << (32 - bits)) >> (32 - bits);
}

float from_srgb(float value) {
  const double exact = value;
  const double linear = exact <= 0.04045 ? exact / 12.92 : std::pow((exact + 0.055) / 1.055, 2.4);
  return widen(narrow<bf16, Rounding::rn>(linear));
}

/// An integer of 8 or 16 bits as a number from 0 or -1 to 1.
float normalized(const device::TexelFormat& format, std::uint32_t raw) {
  if (format.kind == Kind::unsigned_integer) {
    const double most = (1 << format.bits) - 1;
    return static_cast<float>(raw / most);
  }
  const double most = (1 << (format.bits - 1)) - 1;
  return static_cast<float>(std::max(sign_extended(raw, format.bits) / most, -1.0));
}

std::uint32_t presented(const device::TexelFormat& format, const device::Sampler& sampler,
                        std::uint32_t raw, unsigned channel) {
  if (format.kind == Kind::floating) {
    return format.bits == 32 ? raw : bits_of_float(widen(f16{static_cast<std::uint16_t>(raw)}));
  }
  if (sampler.to_float && format.bits <= 16) {
    const float value = normalized(format, raw);
    const bool decodes = sampler.srgb && format.bits == 8 && channel < 3;
    return bits_of_float(decodes ? from_srgb(value) : value);
  }
  return format.kind == Kind::signed_integer
             ? static_cast<std::uint32_t>(sign_extended(raw, format.bits))
             : raw;
}

/// A channel of 32 bits in a format; integers saturate.
std::uint32_t stored_channel(const device::TexelFormat& format, std::uint32_t channel) {
  if (format.bits == 32) return channel;
  if (format.kind == Kind::floating) {
    const float value = std::bit_cast<float>(channel);
    return is_nan(value) ? 0x7e00 : to_bits(narrow<f16, Rounding::rz>(value));
  }
  if (format.kind == Kind::unsigned_integer) {
    return std::min(channel, (std::uint32_t{1} << format.bits) - 1);
  }
  const auto most = (std::int32_t{1} << (format.bits - 1)) - 1;
  return static_cast<std::uint32_t>(
      std::clamp(static_cast<std::int32_t>(channel), -most - 1, most));
}

}  // namespace

Channels texel_channels(const device::TexelFormat& format, const device::Sampler& sampler,
                        const std::byte* texel) {
  Channels result{};
  for (unsigned channel = 0; channel < format.channels; ++channel) {
    result[channel] = presented(format, sampler, raw_channel(format, texel, channel), channel);
  }
  return result;
}

Channels border_channels(const device::TexelFormat& format, const device::Sampler& sampler) {
  Channels result{};
  for (unsigned channel = 0; channel < format.channels; ++channel) {
    const double value = sampler.border[channel];
    const bool is_signed = format.kind == Kind::signed_integer;
    if (format.kind == Kind::floating) {
      const auto number = static_cast<float>(value);
      result[channel] =
          bits_of_float(format.bits == 32 ? number : widen(narrow<f16, Rounding::rn>(value)));
    } else if (sampler.to_float && format.bits <= 16) {
      const double most = is_signed ? (1 << (format.bits - 1)) - 1 : (1 << format.bits) - 1;
      const double bounded = std::clamp(value, is_signed ? -1.0 : 0.0, 1.0);
      result[channel] = bits_of_float(static_cast<float>(std::round(bounded * most) / most));
    } else {
      // The low bits of the f32, as the sampler's description stores it.
      const std::uint64_t mask = (std::uint64_t{1} << format.bits) - 1;
      const auto raw = static_cast<std::uint32_t>(bits_of_float(sampler.border[channel]) & mask);
      result[channel] = presented(format, sampler, raw, channel);
    }
  }
  return result;
}

std::array<std::byte, 16> formatted_texel(const device::TexelFormat& format,
                                          const Channels& channels) {
  std::array<std::byte, 16> bytes{};
  for (unsigned channel = 0; channel < format.channels; ++channel) {
    const std::uint32_t value = stored_channel(format, channels[channel]);
    std::memcpy(&bytes[channel * format.bits / 8], &value, format.bits / 8);
  }
  return bytes;
}

}  // namespace warpcheck::semantics
