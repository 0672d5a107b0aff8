// CUresult values, by number, and what each says about a kernel.
#pragma once

#include "device/finding.hpp"

namespace warpcheck::device::cuda {

/// The values of CUresult that are told apart here (CUDA Driver API, "Data types").
enum DriverResult : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNoDevice = 100,
  kInvalidImage = 200,
  kNoBinaryForGpu = 209,
  kInvalidPtx = 218,
  kUnsupportedPtxVersion = 222,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kAssert = 710,
  kHardwareStackError = 714,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kInvalidAddressSpace = 717,
  kInvalidPc = 718,
  kLaunchFailed = 719,
};

/// The finding that a launch or the wait for it stands for when it returns `result`: faults by
/// their own class, everything else `launch-failure`.
[[nodiscard]] FindingClass finding_of(int result);

/// Whether `result` leaves the context unusable, so that the process must end ("sticky").
[[nodiscard]] bool is_sticky(int result);

}  // namespace warpcheck::device::cuda
