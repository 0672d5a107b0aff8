"""The part of warpcheck that runs inside Python programs under `warpcheck exec`. It needs no other package."""
