"""The largest error of correct and of wrong kernels of operations, in units of its bound, from `warpcheck replay`.

A row is a case of a correct kernel of kernels/operations, and one of about the same size of a wrong kernel of
kernels/specimens/operations. The column of the GPU is recorded; it is empty for a case that is not. The status is 1 if a
wrong kernel is within its bound.
"""

import json
import re

from common import machine, pages

PAGES = ["docs/operations.md"]
RECORDED = pages.ROOT / "bench/recorded/h200_bounds.json"
RECORDED_BY = "scripts/measure bounds --record bench/recorded/h200_bounds.json, on a GPU"
TIME = "15 s"
NEEDS = "nvcc, bench/recorded/h200_bounds.json"
CHECKED = True
HEAD = """\
| correct kernel | types | size | error / bound | on the GPU | wrong kernel | error / bound |
|---|---|---|--:|--:|---|--:|
"""
DATA = "data=normal seed=1"

# File, variant, types and sizes of the correct kernel; file, variant and sizes of the wrong one.
ROWS = [
    ("gemv", "gemv_warp_per_row", "f32", "rows=4 columns=4095 alpha=1.7",
     "d53_reductions", "d53_rest_of_vectors_lost", ""),
    ("reduction", "reduction_warp_per_row", "f32", "rows=4 columns=4095",
     "d53_reductions", "d53_sum_in_f16", "rows=64 columns=64"),
    ("softmax", "softmax_online", "f32", "rows=4 columns=4095", "d45_softmax", "d45_sum_not_rescaled", ""),
    ("softmax", "softmax_three_passes", "f32", "rows=4 columns=4095", "d45_softmax", "d45_part_of_a_warp_lost", ""),
    ("layer_norm", "layer_norm_block_per_row", "f32", "rows=4 columns=255 stride_x=256 epsilon=0.5",
     "d53_reductions", "d53_variance_of_squares", "rows=64 columns=2"),
    ("rms_norm", "rms_norm_thread_per_row", "f32", "rows=4 columns=255",
     "d46_norms", "d46_columns_not_a_power_of_two", ""),
    ("rms_norm", "rms_norm_warp_per_row", "bf16", "rows=4 columns=4095", "d46_norms", "d46_squares_in_bf16", ""),
    ("scan", "scan_block_per_row", "f32", "rows=2 columns=1000",
     "d48_layouts", "d48_sum_of_earlier_elements_lost", "length=1000"),
    ("elementwise", "elementwise_vectors", "f32", "rows=16 columns=512", "d54_broadcast", "d54_bias_of_row", ""),
    ("convolution", "convolution_tiles", "f32", "channels=8 filters=4 height=20 width=20",
     "d56_images", "d56_filter_transposed", "height=20 width=20"),
    ("convolution", "convolution_implicit_gemm", "f16, tensor cores", "channels=8 filters=4 height=20 width=20",
     "d56_images", "d56_sums_in_f16", "height=20 width=20"),
    ("attention", "attention_online", "f32", "heads=2 length=64 depth=16",
     "d47_attention", "d47_total_not_rescaled", "batch=2 length=64 depth=16"),
    ("attention_grouped", "grouped_attention_mma", "f16, tensor cores", "batch=3 group=2 length=64 depth=16",
     "d59_grouped_attention", "d59_sums_in_f16", "group=2 length=64 depth=16"),
    ("attention_grouped", "grouped_attention_mma", "f16, tensor cores", "batch=3 group=2 length=64 depth=16",
     "d59_grouped_attention", "d59_values_not_rescaled", "group=2 length=64 depth=16"),
    ("grouped_gemm", "expert_gemm_elements", "f32", "tokens=40 experts=4 inner=512 columns=32",
     "d57_grouped_gemm", "d57_sums_in_f16", ""),
    ("grouped_gemm_tensor_cores", "grouped_gemm_mma", "bf16, tensor cores",
     "tokens=40 experts=4 inner=512 columns=32", "d57_grouped_gemm", "d57_sums_in_bf16", ""),
    ("quantize", "quantize_warp_per_row", "s8", "rows=4 columns=1000",
     "d58_quantize", "d58_cut_off_instead_of_rounded", ""),
    ("quantize_e4m3", "quantize_e4m3_block_per_row", "e4m3", "rows=4 columns=1000",
     "d58_quantize", "d58_range_of_e4m3fnuz", ""),
    ("dequantize", "dequantize_e4m3_vectors", "e4m3 to f32", "rows=4 columns=1008",
     "d58_quantize", "d58_bias_of_e4m3fnuz", ""),
    ("dequantize", "dequantize_s8_vectors", "s8 to f32", "rows=4 columns=1008",
     "d58_quantize", "d58_scale_of_first_row", ""),
]


def operation_name(file, variant):
    """Returns the operation of the variant: its own key, or the only one of the file."""
    contract = file.with_suffix(".toml")
    text = (contract if contract.exists() else file).read_text()
    names = re.findall(r'^\[\[operation\]\]\nname += "(.*)"$', text, re.MULTILINE)
    of_variant = re.search(rf'"{variant}"\noperation += "(.*)"', text)
    return of_variant[1] if of_variant else names[0]


def case_line(folder, name, variant, sizes):
    file = pages.ROOT / "kernels" / folder / (name + ".cu")
    return file, f"{variant} operation={operation_name(file, variant)} {sizes} {DATA}"


def largest_error(run, device, file, case):
    """The error, and the device as warpcheck names it."""
    events = {event["event"]: event for event in run.events("start variant", "replay", "--device", device, "--in", file, case)}
    if "variant" not in events:
        run.missing(f"{case}: no result")
    return events["variant"]["error_over_bound"], events["start"]["device"]


def spelled(value):
    return value if isinstance(value, str) else f"{value:.2g}" if value < 100 else f"{value:,.0f}"


def record(run):
    errors = {}
    for name, variant, _, sizes, *_ in ROWS:
        file, case = case_line("operations", name, variant, sizes)
        errors[case], device = largest_error(run, "cuda", file, case)
    return machine.facts() | {"device": device, "error_over_bound": errors}


def cells(run, recorded, row):
    name, variant, types, sizes, wrong_file, wrong, wrong_sizes = row
    file, case = case_line("operations", name, variant, sizes)
    right, _ = largest_error(run, "virtual", file, case)
    error, _ = largest_error(run, "virtual", *case_line("specimens/operations", wrong_file, wrong, wrong_sizes or sizes))
    if not isinstance(error, str) and error <= 1:
        run.report(f"{wrong} is within its bound", 1)
    return (variant, types, sizes.replace("=", " "), spelled(right), spelled(recorded.get(case, "")), wrong, spelled(error))


def table(run, _):
    recorded = json.loads(run.input(RECORDED))["error_over_bound"]
    return pages.table(HEAD, (cells(run, recorded, row) for row in ROWS))
