// Arrays, textures and surfaces of the driver. Their handles are those of the runtime.
#include "runtime/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "runtime/driver/driver.hpp"

using namespace warpcheck::runtime;

namespace {

struct Format {
  CUarray_format driver;
  cudaChannelFormatKind kind;
  int bits;
};
constexpr std::array kFormats = {
    Format{CU_AD_FORMAT_UNSIGNED_INT8, cudaChannelFormatKindUnsigned, 8},
    Format{CU_AD_FORMAT_UNSIGNED_INT16, cudaChannelFormatKindUnsigned, 16},
    Format{CU_AD_FORMAT_UNSIGNED_INT32, cudaChannelFormatKindUnsigned, 32},
    Format{CU_AD_FORMAT_SIGNED_INT8, cudaChannelFormatKindSigned, 8},
    Format{CU_AD_FORMAT_SIGNED_INT16, cudaChannelFormatKindSigned, 16},
    Format{CU_AD_FORMAT_SIGNED_INT32, cudaChannelFormatKindSigned, 32},
    Format{CU_AD_FORMAT_HALF, cudaChannelFormatKindFloat, 16},
    Format{CU_AD_FORMAT_FLOAT, cudaChannelFormatKindFloat, 32},
};

std::optional<cudaChannelFormatDesc> channels_of(CUarray_format format, unsigned channels) {
  const auto* const row = std::find_if(kFormats.begin(), kFormats.end(),
                                       [&](const Format& one) { return one.driver == format; });
  if (row == kFormats.end() || channels == 0 || channels > 4) return std::nullopt;
  const auto bits = [&](unsigned channel) { return channel < channels ? row->bits : 0; };
  return cudaChannelFormatDesc{bits(0), bits(1), bits(2), bits(3), row->kind};
}

/// Calls `body` with the format of the runtime; reports a format that it does not have.
template <typename Body>
CUresult with_format(const char* function, CUarray_format format, unsigned channels, Body body) {
  return context_call(function, [&](Runtime& runtime) {
    const auto desc = channels_of(format, channels);
    if (desc) return body(*desc);
    return runtime.unsupported(function, fmt::format("{} channels of CUarray_format 0x{:x}",
                                                     channels, static_cast<unsigned>(format)));
  });
}

/// Writes the description of an array, of the type of 2-d or of 3-d arrays.
template <typename Describe>
CUresult describe(const char* function, CUarray handle, Describe describe_as) {
  return context_call(function, [&](Runtime& runtime) {
    const Array* const array = live_array(runtime, function, handle);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    const auto* const row = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& one) {
      return one.kind == array->format.f && one.bits == array->format.x;
    });
    describe_as(*array, row->driver, array->image.format.channels);
    return cudaSuccess;
  });
}

cudaResourceDesc resource_of(const CUDA_RESOURCE_DESC& from, bool& known) {
  cudaResourceDesc to{};
  const auto format = [&](CUarray_format driver, unsigned channels) {
    const auto desc = channels_of(driver, channels);
    known = desc.has_value();
    return desc.value_or(cudaChannelFormatDesc{});
  };
  known = true;
  switch (from.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      to.resType = cudaResourceTypeArray;
      to.res.array.array = reinterpret_cast<cudaArray_t>(from.res.array.hArray);
      break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      to.resType = cudaResourceTypeMipmappedArray;
      to.res.mipmap.mipmap =
          reinterpret_cast<cudaMipmappedArray_t>(from.res.mipmap.hMipmappedArray);
      break;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = from.res.linear;
      to.resType = cudaResourceTypeLinear;
      to.res.linear = {pointer_to_device(linear.devPtr), format(linear.format, linear.numChannels),
                       linear.sizeInBytes};
      break;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& rows = from.res.pitch2D;
      to.resType = cudaResourceTypePitch2D;
      to.res.pitch2D = {pointer_to_device(rows.devPtr), format(rows.format, rows.numChannels),
                        rows.width, rows.height, rows.pitchInBytes};
      break;
    }
    default:
      known = false;
  }
  return to;
}

/// The texels of a resource. Empty if there are none.
std::optional<cudaChannelFormatDesc> format_of(const cudaResourceDesc& resource) {
  if (resource.resType == cudaResourceTypeLinear) return resource.res.linear.desc;
  if (resource.resType == cudaResourceTypePitch2D) return resource.res.pitch2D.desc;
  const Array* const array = resource.resType == cudaResourceTypeArray
                                 ? array_of(resource.res.array.array)
                                 : array_of(resource.res.mipmap.mipmap);
  return array == nullptr ? std::nullopt : std::optional(array->format);
}

/// Integers of 8 and 16 bits are read as numbers from -1 to 1 unless the flags state integers (CUDA
/// Driver API, cuTexObjectCreate).
cudaTextureDesc sampling_of(const CUDA_TEXTURE_DESC& from, const cudaResourceDesc& resource) {
  const auto has = [&](unsigned flag) { return (from.flags & flag) != 0 ? 1 : 0; };
  const auto format = format_of(resource);
  const bool promoted = format && format->f != cudaChannelFormatKindFloat && format->x < 32 &&
                        has(CU_TRSF_READ_AS_INTEGER) == 0;
  cudaTextureDesc to{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    to.addressMode[axis] = static_cast<cudaTextureAddressMode>(from.addressMode[axis]);
  }
  to.filterMode = static_cast<cudaTextureFilterMode>(from.filterMode);
  to.readMode = promoted ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  to.sRGB = has(CU_TRSF_SRGB);
  std::copy_n(from.borderColor, 4, to.borderColor);
  to.normalizedCoords = has(CU_TRSF_NORMALIZED_COORDINATES);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<cudaTextureFilterMode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  to.seamlessCubemap = has(CU_TRSF_SEAMLESS_CUBEMAP);
  return to;
}

/// Calls `body` with the resource of the runtime.
template <typename Body>
CUresult with_resource(const char* function, const CUDA_RESOURCE_DESC* resource, Body body) {
  return context_call(function, [&](Runtime& runtime) {
    if (resource == nullptr) {
      return runtime.misuse(cudaErrorInvalidValue, fmt::format("{}: a pointer is null", function));
    }
    bool known = false;
    const cudaResourceDesc own = resource_of(*resource, known);
    if (!known) return runtime.unsupported(function, "a resource of this type or format");
    return body(runtime, own);
  });
}

}  // namespace

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* desc) {
  return with_format("cuArrayCreate", desc->Format, desc->NumChannels, [&](const auto& format) {
    return cudaMallocArray(reinterpret_cast<cudaArray_t*>(array), &format, desc->Width,
                           desc->Height);
  });
}
// The flags of both APIs have the same numbers.
CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* desc) {
  return with_format("cuArray3DCreate", desc->Format, desc->NumChannels, [&](const auto& format) {
    return cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(array), &format,
                             {desc->Width, desc->Height, desc->Depth}, desc->Flags);
  });
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* desc, CUarray handle) {
  return describe("cuArrayGetDescriptor", handle,
                  [&](const Array& array, CUarray_format format, unsigned channels) {
                    *desc = {array.extent.width, array.extent.height, format, channels};
                  });
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* desc, CUarray handle) {
  return describe("cuArray3DGetDescriptor", handle,
                  [&](const Array& array, CUarray_format format, unsigned channels) {
                    *desc = {array.extent.width, array.extent.height, array.extent.depth, format,
                             channels,           array.flags};
                  });
}
CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* desc,
                                unsigned levels) {
  return with_format(
      "cuMipmappedArrayCreate", desc->Format, desc->NumChannels, [&](const auto& format) {
        return cudaMallocMipmappedArray(reinterpret_cast<cudaMipmappedArray_t*>(array), &format,
                                        {desc->Width, desc->Height, desc->Depth}, levels,
                                        desc->Flags);
      });
}

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* desc, const CUDA_RESOURCE_VIEW_DESC* view) {
  constexpr const char* kFunction = "cuTexObjectCreate";
  return with_resource(kFunction, resource, [&](Runtime& runtime, const cudaResourceDesc& own) {
    if (view != nullptr) {
      return runtime.unsupported(kFunction, "warpcheck exec does not implement resource views");
    }
    if (desc == nullptr) return cudaCreateTextureObject(object, &own, nullptr, nullptr);
    const cudaTextureDesc sampling = sampling_of(*desc, own);
    return cudaCreateTextureObject(object, &own, &sampling, nullptr);
  });
}
CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  return with_resource("cuSurfObjectCreate", resource, [&](Runtime&, const cudaResourceDesc& own) {
    return cudaCreateSurfaceObject(object, &own);
  });
}
