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
  return static_cast<float>(exact <= 0.04045 ? exact / 12.92
                                             : std::pow((exact + 0.055) / 1.055, 2.4));
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

/// 1 in the format of the results.
std::uint32_t one(const device::TexelFormat& format, const device::Sampler& sampler) {
  const bool floating = format.kind == Kind::floating || (sampler.to_float && format.bits <= 16);
  return floating ? bits_of_float(1.0F) : 1;
}

/// A channel of 32 bits in a format; integers saturate.
std::uint32_t stored_channel(const device::TexelFormat& format, std::uint32_t channel) {
  if (format.bits == 32) return channel;
  if (format.kind == Kind::floating) {
    return to_bits(narrow<f16, Rounding::rn>(std::bit_cast<float>(channel)));
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
  Channels result{0, 0, 0, one(format, sampler)};
  for (unsigned channel = 0; channel < format.channels; ++channel) {
    result[channel] = presented(format, sampler, raw_channel(format, texel, channel), channel);
  }
  return result;
}

Channels border_channels(const device::TexelFormat& format, const device::Sampler& sampler) {
  Channels result{0, 0, 0, one(format, sampler)};
  for (unsigned channel = 0; channel < format.channels; ++channel) {
    const float value = sampler.border[channel];
    const bool floating = format.kind == Kind::floating || (sampler.to_float && format.bits <= 16);
    result[channel] = floating ? bits_of_float(value)
                               : static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
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
