// CUresult values and the corresponding classes of findings.
#pragma once

#include "device/finding.hpp"

namespace warpcheck::device::cuda {

/// The values of CUresult that the device distinguishes (CUDA Driver API, "Data types").
enum DriverResult : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kNotSupported = 801,
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

/// The class of the finding when a launch or the wait for it returns `result`: the class of a
/// fault, or `launch-failure` for any other error.
[[nodiscard]] FindingClass finding_of(int result);

/// True if `result` makes the context unusable ("sticky"), so that the process must end.
[[nodiscard]] bool is_sticky(int result);

}  // namespace warpcheck::device::cuda
