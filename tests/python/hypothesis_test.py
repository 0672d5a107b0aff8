"""Properties with Hypothesis: require_pass() within @given, and the fixture assert_kernel."""

import numpy as np
import pytest

import warpcheck
from arguments_test import SCALE
from warpcheck import In, Kernel, Out, ceil_div

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, settings, strategies  # noqa: E402

CHECKS = settings(deadline=None, max_examples=20, database=None, derandomize=True)
COUNTS = strategies.integers(1, 200)


def doubled(ptx, count):
    y = np.zeros(count, np.float32)
    warpcheck.launch(ptx, np.ones(count, np.float32), warpcheck.Undefined(y), count, grid=ceil_div(count, 32), block=32,
                     names=["x", "y"]).require_pass()
    return y


@CHECKS
@given(COUNTS)
def test_correct_kernel_passes_for_each_count(count):
    assert (doubled(SCALE, count) == 2).all()


def test_finding_shrinks_to_the_smallest_count():
    counts = []

    @CHECKS
    @given(COUNTS)
    def fails(count):
        counts.append(count)
        doubled(SCALE.replace("setp.ge.u32", "setp.gt.u32"), count)  # one thread too many

    with pytest.raises(warpcheck.KernelError, match="4-byte load from byte 4 of x, which has 4 bytes"):
        fails()
    assert counts[-1] == 1


@CHECKS
@given(block=strategies.sampled_from([32, 64, 128]))
def test_fixture_may_be_used_within_given(assert_kernel, block):
    assert_kernel(Kernel(SCALE, block=block), lambda x: 2 * x, [In("x", "f32", ("n",)), Out("y", "f32", ("n",)), "n"],
                  grid=lambda s: ceil_div(s.n, block), cases=5)
