"""PyTorch's operators on CUDA tensors under `warpcheck exec`: the same results as on the CPU, and the same effects on
memory that tensors share."""

import threading

import pytest
import torch
from torch.testing import assert_close
from torch.utils._python_dispatch import TorchDispatchMode

FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]


def on_both(function, *tensors):
    """The results on the device and on the host."""
    device = function(*(one.cuda() for one in tensors))
    assert device.is_cuda
    return device.cpu(), function(*tensors)


@pytest.mark.parametrize("dtype", [*FLOATS, torch.complex64, torch.int32, torch.int64, torch.uint8])
def test_arithmetic(dtype):
    x = torch.arange(1, 13).reshape(3, 4).to(dtype)
    assert_close(*on_both(lambda x: x * 2 + x, x))
    assert_close(*on_both(lambda x: x.t() @ x if not x.dtype == torch.uint8 else x + 1, x))


def test_numbers_as_operands():
    x = torch.arange(6)
    assert_close(*on_both(lambda x: x % 4 + 7 // (x + 1), x))
    assert_close(*on_both(lambda x: (x % 4.5).to(torch.float64) ** 2, x))
    assert_close(*on_both(lambda x: torch.where(x > 2, x, 7.0), x))


def test_float8_keeps_its_bits():
    x = torch.randn(16).to(torch.float8_e4m3fn)
    assert_close(x.cuda().to(torch.float32).cpu(), x.to(torch.float32))


def test_conjugate_and_imaginary_part_of_complex_tensors():
    z = torch.randn(4, 3, dtype=torch.complex64)
    assert_close(*on_both(lambda z: z.conj().t() @ z, z))
    assert_close(*on_both(lambda z: z.conj().imag + 1, z))
    assert_close(*on_both(lambda z: z.conj().clone(), z))


def test_tensors_without_elements_and_dimensions():
    assert torch.empty(0, 3, device="cuda").sum().item() == 0
    assert (torch.tensor(3.0, device="cuda") + 1).item() == 4
    assert torch.cat([torch.empty(0, device="cuda"), torch.ones(2, device="cuda")]).tolist() == [1, 1]


def test_change_in_place_is_seen_through_views():
    x = torch.zeros(4, 6, device="cuda")
    x[1:3, ::2].add_(1)
    x.t()[5].fill_(7)
    expected = torch.zeros(4, 6)
    expected[1:3, ::2].add_(1)
    expected.t()[5].fill_(7)
    assert_close(x.cpu(), expected)


def test_operands_that_share_memory():
    x = torch.arange(6.0, device="cuda")
    torch.cumsum(x, 0, out=x)
    assert x.tolist() == [0, 1, 3, 6, 10, 15]
    with pytest.raises(RuntimeError, match="single memory location"):
        x[1:].add_(x[:-1])


@pytest.mark.parametrize("strided", [False, True])
def test_results_in_tensors_of_the_caller(strided):
    x = torch.randn(3, 4, device="cuda")
    out = torch.empty(4, 3, device="cuda").t() if strided else torch.empty(3, 4, device="cuda")
    result = torch.exp(x, out=out)
    assert result is out
    assert_close(out.cpu(), x.cpu().exp())


def test_result_that_resizes_the_tensor_of_the_caller():
    out = torch.empty(0, device="cuda")
    torch.mm(torch.ones(2, 3, device="cuda"), torch.ones(3, 2, device="cuda"), out=out)
    assert out.tolist() == [[3, 3], [3, 3]]


def test_strides_are_those_of_the_cpu():
    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    device, host = x.cuda(), x
    assert (device * 2).stride() == (host * 2).stride()
    assert torch.relu(device.permute(3, 1, 0, 2)).stride() == torch.relu(host.permute(3, 1, 0, 2)).stride()


def test_copies_between_types_layouts_and_devices():
    x = torch.arange(12.0).reshape(3, 4)
    device = torch.zeros(4, 3, device="cuda").t()
    device.copy_(x)
    assert_close(device.cpu(), x)
    assert_close(device.to(torch.int64).cpu(), x.to(torch.int64))
    host = torch.zeros(3, 4, dtype=torch.float64)
    host.copy_(device)
    assert_close(host, x.double())
    assert_close(device[0].expand(2, 4).clone().cpu(), x[0].expand(2, 4))


def test_values_on_the_host():
    x = torch.tensor([1.5, 2.5], device="cuda")
    assert (x[1].item(), float(x[0]), x.tolist(), bool((x > 0).all())) == (2.5, 1.5, [1.5, 2.5], True)
    assert torch.nonzero(x > 2).tolist() == [[1]]
    assert "device='cuda:0'" in repr(x)


def test_indices():
    x = torch.zeros(3, 4)
    index = torch.tensor([0, 2])

    def change(x, index):
        x = x.clone()
        x[index, 1] = 5
        x[x > 4] = 6
        x.index_add_(1, index, torch.ones(3, 2, device=x.device))
        return x.scatter_(1, index[None].expand(3, 2), 9)

    assert_close(*on_both(change, x, index))


def test_seed_determines_random_numbers():
    torch.manual_seed(3)
    first, second = torch.rand(5, device="cuda"), torch.rand(5, device="cuda")
    assert not torch.equal(first, second)
    torch.manual_seed(3)
    assert torch.equal(first, torch.rand(5, device="cuda"))
    state = torch.cuda.get_rng_state()
    third = torch.randn(5, device="cuda")
    torch.cuda.set_rng_state(state)
    assert torch.equal(third, torch.randn(5, device="cuda"))
    generator = torch.Generator("cuda").manual_seed(1)
    one = torch.randint(100, (5,), device="cuda", generator=generator)
    assert torch.equal(one, torch.randint(100, (5,), device="cuda", generator=generator.manual_seed(1)))


def test_random_numbers_of_the_cpu_are_those_without_the_device():
    torch.manual_seed(3)
    expected = torch.rand(5)
    torch.manual_seed(3)
    torch.rand(5, device="cuda")
    torch.nn.functional.dropout(torch.ones(100, device="cuda"))
    assert torch.equal(torch.rand(5), expected)


def networks():  # the parameters of test_training_step
    nn = torch.nn
    yield "linear", nn.Sequential(nn.Linear(8, 6), nn.GELU(), nn.LayerNorm(6), nn.Linear(6, 3)), torch.randn(4, 8)
    yield "convolution", nn.Sequential(nn.Conv2d(3, 4, 3, groups=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
                                       nn.Conv2d(4, 4, 2, groups=4), nn.Flatten()), torch.randn(2, 3, 8, 8)
    yield "attention", nn.TransformerEncoderLayer(8, 2, 16, dropout=0, batch_first=True), torch.randn(2, 5, 8)
    yield "rms norm", nn.RMSNorm(8), torch.randn(4, 8)
    yield "transposed", nn.ConvTranspose1d(3, 4, 3), torch.randn(2, 3, 8)


@pytest.mark.parametrize("name, network, x", [pytest.param(*one, id=one[0]) for one in networks()])
def test_training_step(name, network, x):
    """The parameters after a step, whose gradients are computed in a thread of PyTorch."""
    import copy

    device_network = copy.deepcopy(network).cuda()
    for own, data in ((network, x), (device_network, x.cuda())):
        optimizer = torch.optim.AdamW(own.parameters(), lr=0.1)
        own(data).pow(2).mean().backward()
        torch.nn.utils.clip_grad_norm_(own.parameters(), 1.0)
        optimizer.step()
    for device, host in zip(device_network.parameters(), network.parameters()):
        assert device.is_cuda
        assert_close(device.cpu(), host, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_recurrent_network(kind):
    torch.manual_seed(1)
    network = getattr(torch.nn, kind)(4, 5, num_layers=2, bidirectional=True)
    x = torch.randn(3, 2, 4)
    expected, _ = network(x)
    expected.sin().sum().backward()
    gradients = [one.grad.clone() for one in network.parameters()]
    network.zero_grad()
    network.cuda()
    result, _ = network(x.cuda())
    result.sin().sum().backward()
    assert_close(result.cpu(), expected)
    for parameter, gradient in zip(network.parameters(), gradients):
        assert_close(parameter.grad.cpu(), gradient, rtol=1e-4, atol=1e-5)


def test_mixed_precision():
    network = torch.nn.Linear(8, 4).cuda()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        result = network(torch.randn(3, 8, device="cuda"))
        loss = result.float().sum()
    assert result.dtype == torch.float16
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    assert torch.isfinite(network.weight).all()


@pytest.mark.parametrize("options", [{"fused": True}, {"foreach": True}, {"foreach": False}])
def test_optimizers(options):
    weights = [torch.nn.Parameter(torch.ones(5, device=device)) for device in ("cpu", "cuda")]
    for weight in weights:
        optimizer = torch.optim.Adam([weight], lr=0.1, **options)
        for _ in range(3):
            weight.grad = torch.arange(5.0, device=weight.device)
            optimizer.step()
    assert_close(weights[1].detach().cpu(), weights[0].detach())


def test_scaled_dot_product_attention():
    q, k, v = (torch.randn(2, 3, 7, 8) for _ in range(3))

    def attention(q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

    assert_close(*on_both(attention, q, k, v), rtol=1e-4, atol=1e-5)


def test_threads_of_the_program():
    results = []
    thread = threading.Thread(target=lambda: results.append((torch.ones(3, device="cuda") * 2).tolist()))
    thread.start()
    thread.join()
    assert results == [[2, 2, 2]]


def test_modes_of_the_program():
    names = []

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            names.append(func.name())
            return func(*args, **(kwargs or {}))

    with Mode():
        x = torch.ones(3, device="cuda") + 1
    assert x.tolist() == [2, 2, 2]
    assert names[-1] == "aten::add.Tensor"
    with torch.device("cuda"):
        assert (torch.ones(2) + torch.arange(2)).tolist() == [1, 2]


def test_functional_transforms():
    x = torch.randn(4, 3)
    assert_close(*on_both(torch.vmap(lambda row: (row * row).sum()), x))
    assert_close(*on_both(torch.func.grad(lambda x: x.sin().sum()), x))


def test_streams_events_and_pinned_memory():
    stream = torch.cuda.Stream()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    host = torch.arange(8.0).pin_memory()
    with torch.cuda.stream(stream):
        begin.record()
        x = host.to("cuda", non_blocking=True) * 2
        end.record()
    torch.cuda.current_stream().wait_stream(stream)
    result = x + 1
    result.record_stream(stream)
    torch.cuda.synchronize()
    assert begin.elapsed_time(end) >= 0
    assert host.is_pinned()
    assert_close(result.cpu(), host * 2 + 1)


def test_pinned_memory_is_used_again_only_after_its_copy():
    """A finding otherwise: the host would write what the device still reads."""
    for value in range(4):
        batch = torch.full((1024,), float(value)).pin_memory()
        x = batch.to("cuda", non_blocking=True)
        del batch
        assert x.numel() == 1024
    torch.cuda.synchronize()
    assert x[7].item() == 3


def test_memory_is_accounted():
    before = torch.cuda.memory_allocated()
    x = torch.empty(1 << 20, device="cuda")
    del x
    torch.cuda.empty_cache()
    assert torch.cuda.memory_allocated() <= before
    assert torch.cuda.get_device_capability() == (9, 0)


def test_exceptions_pass_through_the_destruction_of_tensors():
    """Checkpoints end the recomputation by an exception of a hook, which frees tensors."""
    from torch.utils.checkpoint import checkpoint

    weight = torch.randn(4, 4, device="cuda", requires_grad=True)
    checkpoint(lambda w: torch.nn.functional.dropout(w @ w, 0.5), weight, use_reentrant=False).sum().backward()
    assert weight.grad.shape == (4, 4)


def test_index_outside_of_a_tensor_is_an_error():
    with pytest.raises((IndexError, RuntimeError), match="index"):
        torch.arange(3, device="cuda")[torch.tensor([5], device="cuda")]
