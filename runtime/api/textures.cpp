// Texture and surface objects.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "runtime/arrays.hpp"

using namespace warpcheck;
using namespace warpcheck::runtime;

namespace {

/// The descriptions from which the program created an object, and where.
struct HostObject {
  std::string name;  // name in findings: "texture object 3"
  bool surface = false;
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
};

/// Live objects by handle.
std::map<unsigned long long, HostObject>& objects() {
  static auto& all = *new std::map<unsigned long long, HostObject>;
  return all;
}

/// A description that is refused, or cudaSuccess.
struct Refusal {
  cudaError_t error = cudaSuccess;
  std::string message;
};

constexpr std::size_t kLinearAlignment = 512;  // bytes: cudaDeviceProp::textureAlignment
constexpr std::size_t kPitchAlignment = 32;    // cudaDeviceProp::texturePitchAlignment
constexpr std::size_t kMostLinear = 1U << 28;  // texels

/// The image of an array, or of all levels of a mipmapped one.
Refusal image_of_array(Runtime& runtime, const char* function, const void* handle, bool mipmapped,
                       device::Image& image) {
  const Array* const array = live_array(runtime, function, handle, mipmapped);
  if (array == nullptr) return {cudaErrorInvalidResourceHandle, ""};
  image = array->image;
  return {};
}

/// Memory as an image of one or two dimensions.
Refusal image_of_memory(const void* pointer, const cudaChannelFormatDesc& desc, std::size_t width,
                        std::size_t height, std::size_t pitch, device::Image& image) {
  const auto format = texel_format(desc);
  if (!format) return {cudaErrorInvalidChannelDescriptor, "no texel has the channels"};
  if (address_of(pointer) % kLinearAlignment != 0) {
    return {cudaErrorInvalidValue,
            fmt::format("the address is no multiple of {}", kLinearAlignment)};
  }
  if (height != 1 && pitch % kPitchAlignment != 0) {
    return {cudaErrorInvalidPitchValue,
            fmt::format("the pitch of {} bytes is no multiple of {}", pitch, kPitchAlignment)};
  }
  image.format = *format;
  image.dimensions = height == 1 && pitch == 0 ? 1 : 2;
  device::ImageLevel level;
  level.address = address_of(pointer);
  level.width = static_cast<std::uint32_t>(width);
  level.height = static_cast<std::uint32_t>(height);
  level.row_pitch = pitch;
  image.levels = {level};
  return {};
}

Refusal image_of(Runtime& runtime, const char* function, const cudaResourceDesc& resource,
                 device::Image& image) {
  switch (resource.resType) {
    case cudaResourceTypeArray:
      return image_of_array(runtime, function, resource.res.array.array, false, image);
    case cudaResourceTypeMipmappedArray:
      return image_of_array(runtime, function, resource.res.mipmap.mipmap, true, image);
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      const auto format = texel_format(linear.desc);
      const std::size_t texels = format ? linear.sizeInBytes / format->bytes() : 0;
      if (texels > kMostLinear) {
        return {cudaErrorInvalidValue,
                fmt::format("{} texels, expected at most {}", texels, kMostLinear)};
      }
      return image_of_memory(linear.devPtr, linear.desc, texels, 1, 0, image);
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = resource.res.pitch2D;
      return image_of_memory(rows.devPtr, rows.desc, rows.width, rows.height, rows.pitchInBytes,
                             image);
    }
  }
  return {cudaErrorInvalidValue, "no such cudaResourceType"};
}

device::AddressMode address_mode(cudaTextureAddressMode mode) {
  switch (mode) {
    case cudaAddressModeWrap:
      return device::AddressMode::wrap;
    case cudaAddressModeMirror:
      return device::AddressMode::mirror;
    case cudaAddressModeBorder:
      return device::AddressMode::border;
    default:
      return device::AddressMode::clamp;
  }
}

device::Sampler sampler_of(const cudaTextureDesc& desc, const cudaResourceDesc& resource) {
  device::Sampler sampler;
  sampler.linear = desc.filterMode == cudaFilterModeLinear;
  sampler.normalized = desc.normalizedCoords != 0;
  sampler.to_float = desc.readMode == cudaReadModeNormalizedFloat;
  sampler.srgb = desc.sRGB != 0;
  sampler.linear_levels = desc.mipmapFilterMode == cudaFilterModeLinear;
  sampler.level_bias = desc.mipmapLevelBias;
  sampler.least_level = desc.minMipmapLevelClamp;
  sampler.most_level = desc.maxMipmapLevelClamp;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sampler.address[axis] = address_mode(desc.addressMode[axis]);
  }
  std::copy_n(desc.borderColor, 4, sampler.border.begin());
  // The program reads linear memory by tex1Dfetch() alone, which returns 0 outside of it.
  if (resource.resType == cudaResourceTypeLinear) {
    sampler.address.fill(device::AddressMode::border);
    sampler.border.fill(0);
  }
  return sampler;
}

/// Checks the combinations that the CUDA runtime refuses.
Refusal check_sampler(const device::Image& image, const device::Sampler& sampler) {
  const bool integer = image.format.kind != device::TexelFormat::Kind::floating;
  if (sampler.linear && integer && !sampler.to_float) {
    return {cudaErrorInvalidFilterSetting,
            "cudaFilterModeLinear needs texels that are read as floating-point numbers"};
  }
  if (sampler.to_float && integer && image.format.bits == 32) {
    return {cudaErrorInvalidNormSetting,
            "cudaReadModeNormalizedFloat needs channels of 8 or 16 bits"};
  }
  if (image.levels.size() > 1 && !sampler.normalized) {
    return {cudaErrorInvalidValue, "a mipmapped array needs normalized coordinates"};
  }
  return {};
}

cudaError_t refuse(Runtime& runtime, const char* function, const Refusal& refusal) {
  if (refusal.message.empty()) return refusal.error;  // reported
  return runtime.misuse(refusal.error, fmt::format("{}: {}", function, refusal.message));
}

unsigned long long add_object(Runtime& runtime, device::Texture texture, HostObject object) {
  static std::uint64_t number = 0;
  object.name = texture.name =
      fmt::format("{} object {}", texture.is_surface ? "surface" : "texture", ++number);
  object.surface = texture.is_surface;
  const std::uint64_t handle = runtime.session().add_texture(std::move(texture));
  objects()[handle] = std::move(object);
  return handle;
}

/// The live object of a handle; null after a report.
const HostObject* find_object(Runtime& runtime, const char* function, unsigned long long handle,
                              bool surface) {
  const auto found = objects().find(handle);
  if (found != objects().end() && found->second.surface == surface) return &found->second;
  runtime.report(FindingClass::api_misuse, fmt::format("{}: 0x{:x} is no live {} object", function,
                                                       handle, surface ? "surface" : "texture"));
  return nullptr;
}

cudaError_t destroy_object(const char* function, unsigned long long handle, bool surface) {
  return api_call([&](Runtime& runtime) {
    if (handle == 0) return cudaSuccess;
    if (find_object(runtime, function, handle, surface) == nullptr) return cudaErrorInvalidValue;
    static_cast<void>(runtime.session().destroy_texture(handle));
    objects().erase(handle);
    return cudaSuccess;
  });
}

/// Copies a part of the description of an object to `*to`.
template <class Part>
cudaError_t describe_object(const char* function, unsigned long long handle, bool surface, Part* to,
                            Part HostObject::*part) {
  return api_call([&](Runtime& runtime) {
    const HostObject* const object = find_object(runtime, function, handle, surface);
    if (object == nullptr) return cudaErrorInvalidValue;
    *to = object->*part;
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* desc, const cudaResourceViewDesc* view) {
  return api_call([&](Runtime& runtime) {
    constexpr const char* kFunction = "cudaCreateTextureObject";
    if (handle == nullptr || resource == nullptr || desc == nullptr) {
      return refuse(runtime, kFunction, {cudaErrorInvalidValue, "a pointer is null"});
    }
    if (view != nullptr) {
      return runtime.unsupported(kFunction, "warpcheck exec does not implement resource views");
    }
    if (desc->maxAnisotropy > 1) {
      return runtime.unsupported(kFunction,
                                 "warpcheck exec does not implement anisotropic filtering");
    }
    device::Texture texture;
    Refusal refusal = image_of(runtime, kFunction, *resource, texture.image);
    if (refusal.error != cudaSuccess) return refuse(runtime, kFunction, refusal);
    texture.sampler = sampler_of(*desc, *resource);
    refusal = check_sampler(texture.image, texture.sampler);
    if (refusal.error != cudaSuccess) return refuse(runtime, kFunction, refusal);
    *handle = add_object(runtime, std::move(texture), {"", false, *resource, *desc});
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
  return destroy_object("cudaDestroyTextureObject", handle, false);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* desc, cudaTextureObject_t handle) {
  return describe_object("cudaGetTextureObjectResourceDesc", handle, false, desc,
                         &HostObject::resource);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* desc, cudaTextureObject_t handle) {
  return describe_object("cudaGetTextureObjectTextureDesc", handle, false, desc,
                         &HostObject::texture);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* handle, const cudaResourceDesc* resource) {
  return api_call([&](Runtime& runtime) {
    constexpr const char* kFunction = "cudaCreateSurfaceObject";
    if (handle == nullptr || resource == nullptr) {
      return refuse(runtime, kFunction, {cudaErrorInvalidValue, "a pointer is null"});
    }
    if (resource->resType != cudaResourceTypeArray) {
      return refuse(runtime, kFunction, {cudaErrorInvalidValue, "a surface needs an array"});
    }
    const Array* const array = live_array(runtime, kFunction, resource->res.array.array);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    // Like an H200, which accepts arrays without cudaArraySurfaceLoadStore.
    device::Texture surface;
    surface.image = array->image;
    surface.is_surface = true;
    *handle = add_object(runtime, std::move(surface), {"", true, *resource, {}});
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
  return destroy_object("cudaDestroySurfaceObject", handle, true);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* desc, cudaSurfaceObject_t handle) {
  return describe_object("cudaGetSurfaceObjectResourceDesc", handle, true, desc,
                         &HostObject::resource);
}
