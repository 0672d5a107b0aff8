// The laws by name, each in the source of its family.
#pragma once

#include "properties/law.hpp"

namespace warpcheck::properties {

// Right values: values.cpp.
extern const Law kMatchesReference;
extern const Law kKZeroScalesC;
extern const Law kOneHotPicksTheNamedElement;
extern const Law kSecondCallOtherPointers;

// The bytes that a kernel reads and writes: memory.cpp.
extern const Law kWritesEveryElement;
extern const Law kWritesOnlyItsMatrix;
extern const Law kReadsOnlyItsOperands;
extern const Law kLeavesInputsAlone;

// Operands with a factor of zero: zero_factors.cpp.
extern const Law kBetaZeroIgnoresC;
extern const Law kAlphaZeroIgnoresAAndB;

// Changes of a problem that change its result in a known way, or not at all: symmetries.cpp.
extern const Law kPowerOfTwoScalingIsExact;
extern const Law kPermutingRowsPermutesRows;
extern const Law kWiderLayoutSameBits;
extern const Law kSameBitsTwice;

// Independence of what else is computed: batches.cpp.
extern const Law kBatchInvariance;

// A slice at another position: permutations.cpp.
extern const Law kPermutingSlicesPermutesSlices;

// Groups without members: groups.cpp.
extern const Law kEmptyGroupsChangeNothing;

// The preceding kernel of a programmatic dependent launch: predecessor.cpp.
extern const Law kWaitsForThePredecessor;

// Masked elements and the others that a result does not read: unread_elements.cpp.
extern const Law kUnreadElementsStayOut;

// Elements with a single rounding: roundings.cpp.
extern const Law kOneProductIsRoundedOnce;
extern const Law kTwoProductsAreAddedOnce;

}  // namespace warpcheck::properties
