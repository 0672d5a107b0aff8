"""Operators that PyTorch has for CUDA alone, in terms of operators of the CPU."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

Tensor = Any


class _Recurrent:
    """The cells of torch.nn.LSTM and torch.nn.GRU. The operands of the backward operators are results of the forward ones,
    so that only their meaning here matters."""

    def __init__(self, torch: ModuleType) -> None:
        self._torch = torch

    def lstm(self, input_gates: Tensor, hidden_gates: Tensor, cx: Tensor, input_bias: Tensor = None,
             hidden_bias: Tensor = None) -> tuple[Tensor, ...]:
        gates = _with_bias(input_gates, input_bias) + _with_bias(hidden_gates, hidden_bias)
        i, f, g, o = gates.chunk(4, 1)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        cy = f * cx + i * g
        return o * cy.tanh(), cy, self._torch.cat((i, f, g, o), 1)

    def lstm_backward(self, grad_hy: Tensor, grad_cy: Tensor, cx: Tensor, cy: Tensor, workspace: Tensor,
                      has_bias: bool) -> tuple[Tensor, ...]:
        i, f, g, o = workspace.chunk(4, 1)
        tanh = cy.tanh()
        grad_hy = self._torch.zeros_like(cy) if grad_hy is None else grad_hy
        grad_c = grad_hy * o * (1 - tanh * tanh)
        grad_c = grad_c if grad_cy is None else grad_c + grad_cy
        gates = self._torch.cat((grad_c * g * i * (1 - i), grad_c * cx * f * (1 - f), grad_c * i * (1 - g * g),
                                 grad_hy * tanh * o * (1 - o)), 1)
        return gates, grad_c * f, gates.sum(0) if has_bias else None

    def gru(self, input_gates: Tensor, hidden_gates: Tensor, hx: Tensor, input_bias: Tensor = None,
            hidden_bias: Tensor = None) -> tuple[Tensor, ...]:
        input_r, input_z, input_n = _with_bias(input_gates, input_bias).chunk(3, 1)
        hidden_r, hidden_z, hidden_n = _with_bias(hidden_gates, hidden_bias).chunk(3, 1)
        r, z = (input_r + hidden_r).sigmoid(), (input_z + hidden_z).sigmoid()
        n = (input_n + r * hidden_n).tanh()
        return n + z * (hx - n), self._torch.cat((r, z, n, hx, hidden_n), 1)

    def gru_backward(self, grad_hy: Tensor, workspace: Tensor, has_bias: bool) -> tuple[Tensor, ...]:
        r, z, n, hx, hidden_n = workspace.chunk(5, 1)
        grad_n = grad_hy * (1 - z) * (1 - n * n)
        grad_r = grad_n * hidden_n * r * (1 - r)
        grad_z = grad_hy * (hx - n) * z * (1 - z)
        inputs = self._torch.cat((grad_r, grad_z, grad_n), 1)
        hidden = self._torch.cat((grad_r, grad_z, grad_n * r), 1)
        biases = (inputs.sum(0), hidden.sum(0)) if has_bias else (None, None)
        return inputs, hidden, grad_hy * z, *biases


def _with_bias(gates: Tensor, bias: Tensor) -> Tensor:
    return gates if bias is None else gates + bias


def replacements(torch: ModuleType) -> dict[Any, Callable[..., Any]]:
    aten = torch.ops.aten
    recurrent = _Recurrent(torch)

    def fused_sdp_choice(*args: Any, **kwargs: Any) -> int:
        return 0  # attention by its formula, not by a library

    def in_type(function: Any) -> Callable[..., Tensor]:
        return lambda *args: function(*(one.to(args[-1]) for one in args[:-1]))

    def in_type_of(function: Any) -> Callable[..., Tensor]:
        return lambda *args, out: out.copy_(in_type(function)(*args))

    def without_library(*args: Any, **kwargs: Any) -> bool:
        return False

    return {
        aten._use_cudnn_ctc_loss.default: without_library,
        aten._use_cudnn_ctc_loss.Tensor: without_library,
        aten._use_miopen_ctc_loss.default: without_library,
        aten._use_miopen_ctc_loss.Tensor: without_library,
        aten._fused_sdp_choice.default: fused_sdp_choice,
        aten._thnn_fused_lstm_cell.default: recurrent.lstm,
        aten._thnn_fused_lstm_cell_backward_impl.default: recurrent.lstm_backward,
        aten._thnn_fused_gru_cell.default: recurrent.gru,
        aten._thnn_fused_gru_cell_backward.default: recurrent.gru_backward,
        aten.mm.dtype: in_type(torch.mm),
        aten.mm.dtype_out: in_type_of(torch.mm),
        aten.bmm.dtype: in_type(torch.bmm),
        aten.bmm.dtype_out: in_type_of(torch.bmm),
    }
