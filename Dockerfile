# A container with warpcheck, nvcc and git: CI starts in the time of a pull.
#
#   cpack --config build/CPackConfig.cmake -G DEB -B packages
#   docker build -t warpcheck .
#   docker run --rm -v "$PWD:/work" warpcheck gate
#
# scripts/package-test runs these instructions in a clean root, without Docker.
FROM debian:12-slim

COPY packages/*.deb /tmp/packages/

RUN apt-get update \
    && apt-get install -y --no-install-recommends /tmp/packages/*.deb g++ python3-pip git ca-certificates \
    && warpcheck-fetch-nvcc /opt/cuda \
    && ln -s /opt/cuda/nvidia/* /usr/local/cuda \
    && apt-get purge -y --auto-remove python3-pip \
    && rm -rf /var/lib/apt/lists/* /tmp/packages

# Any user may write the cache: CI systems run containers under user numbers of their own.
RUN mkdir -m 1777 /var/cache/warpcheck

ENV XDG_CACHE_HOME=/var/cache/warpcheck

# The repository is mounted, and belongs to a user of the host.
RUN git config --system --add safe.directory '*'

WORKDIR /work

ENTRYPOINT ["warpcheck"]
