#!/bin/bash
# Usage: product_symbols.sh ARCHIVE. The objects for wide vectors must export no function that other
# objects may define: a linker keeps one copy, and a CPU without these vectors would execute it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
archive=$(realpath "$1")
(cd "$folder" && ar x "$archive")

# Prints what an object exports that does not belong to the namespace of Eigen that it renames. Also prints
# functions that run before main().
foreign() {
  nm --defined-only --extern-only "$1" | awk '{print $3}' |
    grep -v -e "Eigen_$2" -e '^_ZN9warpcheck[0-9]*[a-z]*[0-9]*k[A-Za-z0-9]*KernelsE$' \
      -e '^DW\.ref\.' || true
  nm --defined-only "$1" | grep '_GLOBAL__sub_I' || true
}

status=0
for vectors in avx2 avx512; do
  [ -f "$folder/$vectors.cpp.o" ] || continue
  found=$(foreign "$folder/$vectors.cpp.o" "$vectors")
  if [ -n "$found" ]; then
    printf '%s.cpp exports, expected only names of Eigen_%s and its kernels:\n%s\n' "$vectors" "$vectors" "$found"
    status=1
  fi
done
# The check itself: the names of the baseline object are foreign.
if [ -z "$(foreign "$folder/baseline.cpp.o" avx2)" ]; then
  echo 'baseline.cpp exports nothing, expected functions of Eigen'
  status=1
fi
exit $status
