#include "device/cuda/driver/driver_error.hpp"

namespace warpcheck::device::cuda {

FindingClass finding_of(int result) {
  switch (result) {
    case kIllegalAddress:
    case kInvalidAddressSpace:
      return FindingClass::out_of_bounds;
    case kMisalignedAddress:
      return FindingClass::misaligned;
    case kIllegalInstruction:
      return FindingClass::illegal_instruction;
    case kLaunchTimeout:
      return FindingClass::timeout;
    default:
      return FindingClass::launch_failure;
  }
}

bool is_sticky(int result) {
  switch (result) {
    // These errors occur before anything runs; the context stays usable.
    case kSuccess:
    case kInvalidValue:
    case kOutOfMemory:
    case kInvalidImage:
    case kNoBinaryForGpu:
    case kInvalidPtx:
    case kUnsupportedPtxVersion:
    case kNotFound:
    case kLaunchOutOfResources:
      return false;
    default:
      return true;
  }
}

}  // namespace warpcheck::device::cuda
