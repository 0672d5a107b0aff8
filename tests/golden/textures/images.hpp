// Arrays with texels, and the texture and surface objects of record.cu.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "inputs.hpp"

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}
#define CHECK(call) check(call, #call)

/// The format of a texel: `u8x4`, `f16x1` ...
struct Format {
  cudaChannelFormatKind kind;
  int bits;
  int channels;

  int bytes() const { return bits / 8 * channels; }
  std::string name() const {
    const char* kinds = kind == cudaChannelFormatKindUnsigned ? "u"
                        : kind == cudaChannelFormatKindSigned ? "s"
                                                              : "f";
    return kinds + std::to_string(bits) + "x" + std::to_string(channels);
  }
  cudaChannelFormatDesc desc() const {
    const auto bits_of = [&](int channel) { return channel < channels ? bits : 0; };
    return {bits_of(0), bits_of(1), bits_of(2), bits_of(3), kind};
  }
};

inline Format f32(int channels = 1) { return {cudaChannelFormatKindFloat, 32, channels}; }
inline Format f16(int channels = 1) { return {cudaChannelFormatKindFloat, 16, channels}; }
inline Format u(int bits, int channels = 1) {
  return {cudaChannelFormatKindUnsigned, bits, channels};
}
inline Format s(int bits, int channels = 1) {
  return {cudaChannelFormatKindSigned, bits, channels};
}

inline std::vector<unsigned char> texels(const Format& format, Content content, std::size_t count,
                                         std::uint64_t seed) {
  Rng random(seed);
  std::vector<unsigned char> bytes(count * format.bytes());
  const int size = format.bits / 8;
  for (std::size_t i = 0; i < bytes.size(); i += size) {
    std::uint32_t value = static_cast<std::uint32_t>(random.bits());
    if (format.kind == cudaChannelFormatKindFloat) {
      if (size == 4) {
        const float number = texel_value(content, random);
        std::memcpy(&value, &number, sizeof value);
      } else {
        value = half_value(content, random);
      }
    }
    std::memcpy(&bytes[i], &value, size);
  }
  return bytes;
}

/// An array, or with `levels` a mipmapped array, filled with texels.
struct Image {
  Format format;
  Content content;
  Extent extent;
  int layers = 0;
  unsigned flags = 0;
  int levels = 0;
  cudaArray_t array = nullptr;
  cudaMipmappedArray_t mipmapped = nullptr;

  Image(const Format& texel, Content values, const Extent& size, int layer_count = 0,
        unsigned array_flags = 0, int level_count = 0)
      : format(texel),
        content(values),
        extent(size),
        layers(layer_count),
        flags(array_flags),
        levels(level_count) {
    const bool cube = (flags & cudaArrayCubemap) != 0;
    const std::size_t depth = layers != 0 ? layers * (cube ? 6 : 1) : cube ? 6 : extent.depth;
    if (layers != 0) flags |= cudaArrayLayered;
    const cudaChannelFormatDesc desc = format.desc();
    const auto size_of = [&](int level) {
      const auto part = [&](int n) {
        return static_cast<std::size_t>(n == 0 ? 0 : n >> level > 0 ? n >> level : 1);
      };
      return cudaExtent{part(extent.width), part(extent.height),
                        layers != 0 || cube ? depth : part(extent.depth)};
    };
    if (levels == 0) {
      CHECK(cudaMalloc3DArray(&array, &desc, size_of(0), flags));
      fill(array, size_of(0), 0);
      return;
    }
    CHECK(cudaMallocMipmappedArray(&mipmapped, &desc, size_of(0), levels, flags));
    for (int level = 0; level < levels; ++level) {
      cudaArray_t part;
      CHECK(cudaGetMipmappedArrayLevel(&part, mipmapped, level));
      fill(part, size_of(level), level);
    }
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  ~Image() {
    if (array != nullptr) CHECK(cudaFreeArray(array));
    if (mipmapped != nullptr) CHECK(cudaFreeMipmappedArray(mipmapped));
  }

  void fill(cudaArray_t to, cudaExtent size, int level) const {
    if (size.height == 0) size.height = 1;
    if (size.depth == 0) size.depth = 1;
    auto bytes = texels(format, content, size.width * size.height * size.depth, 1000 + 77 * level);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr =
        make_cudaPitchedPtr(bytes.data(), size.width * format.bytes(), size.width, size.height);
    copy.dstArray = to;
    copy.extent = size;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
  }

  cudaResourceDesc resource() const {
    cudaResourceDesc desc = {};
    if (mipmapped != nullptr) {
      desc.resType = cudaResourceTypeMipmappedArray;
      desc.res.mipmap.mipmap = mipmapped;
    } else {
      desc.resType = cudaResourceTypeArray;
      desc.res.array.array = array;
    }
    return desc;
  }

  std::string name() const {
    static const char* const kContents[] = {"step", "mantissa", "range", "special"};
    std::string text = format.name();
    if (format.kind == cudaChannelFormatKindFloat) {
      text += std::string(" ") + kContents[static_cast<int>(content)];
    }
    text += " " + std::to_string(extent.width);
    if (extent.height != 0) text += "x" + std::to_string(extent.height);
    if (extent.depth != 0) text += "x" + std::to_string(extent.depth);
    if (layers != 0) text += " layers=" + std::to_string(layers);
    if (levels != 0) text += " levels=" + std::to_string(levels);
    return text;
  }
};

/// How a texture is sampled.
struct Sampler {
  cudaTextureAddressMode address = cudaAddressModeClamp;
  cudaTextureFilterMode filter = cudaFilterModePoint;
  bool normalized = false;
  bool to_float = false;  // cudaReadModeNormalizedFloat
  bool srgb = false;
  bool seamless = false;
  cudaTextureFilterMode mip_filter = cudaFilterModePoint;
  float bias = 0, least_level = 0, most_level = 0;

  cudaTextureDesc desc() const {
    cudaTextureDesc result = {};
    for (auto& mode : result.addressMode) mode = address;
    result.filterMode = filter;
    result.readMode = to_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    result.sRGB = srgb;
    result.normalizedCoords = normalized;
    result.borderColor[0] = 0.25f;
    result.borderColor[1] = -1.5f;
    result.borderColor[2] = 3.0f;
    result.borderColor[3] = 0.75f;
    result.mipmapFilterMode = mip_filter;
    result.mipmapLevelBias = bias;
    result.minMipmapLevelClamp = least_level;
    result.maxMipmapLevelClamp = most_level;
    result.seamlessCubemap = seamless;
    return result;
  }

  std::string name() const {
    static const char* const kAddresses[] = {"wrap", "clamp", "mirror", "border"};
    std::string text = filter == cudaFilterModeLinear ? "linear " : "point ";
    text += kAddresses[address];
    if (normalized) text += " normalized";
    if (to_float) text += " to_float";
    if (srgb) text += " srgb";
    if (seamless) text += " seamless";
    if (most_level != 0) {
      char levels[96];
      std::snprintf(levels, sizeof levels, " %s levels %g to %g bias %g",
                    mip_filter == cudaFilterModeLinear ? "linear" : "nearest", least_level,
                    most_level, bias);
      text += levels;
    }
    return text;
  }
};

class Texture {
 public:
  Texture(const cudaResourceDesc& resource, const Sampler& sampler) {
    const cudaTextureDesc desc = sampler.desc();
    error_ = cudaCreateTextureObject(&handle_, &resource, &desc, nullptr);
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  ~Texture() {
    if (error_ == cudaSuccess) CHECK(cudaDestroyTextureObject(handle_));
  }
  cudaTextureObject_t handle() const { return handle_; }
  /// The reason why the runtime refuses the description; cudaSuccess: it accepts it.
  cudaError_t error() const { return error_; }

 private:
  cudaTextureObject_t handle_ = 0;
  cudaError_t error_ = cudaSuccess;
};

class Surface {
 public:
  explicit Surface(const Image& image) {
    const cudaResourceDesc resource = image.resource();
    CHECK(cudaCreateSurfaceObject(&handle_, &resource));
  }
  Surface(const Surface&) = delete;
  Surface& operator=(const Surface&) = delete;
  ~Surface() { CHECK(cudaDestroySurfaceObject(handle_)); }
  cudaSurfaceObject_t handle() const { return handle_; }

 private:
  cudaSurfaceObject_t handle_ = 0;
};
