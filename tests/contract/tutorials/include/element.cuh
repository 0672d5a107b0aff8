// The type of the elements is a macro of the build.
#pragma once

#include "tile.cuh"

using element = ELEMENT;

__device__ inline int tiles(int extent) { return (extent + kTile - 1) / kTile; }
