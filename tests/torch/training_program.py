"""A training of PyTorch with the parts that programs use: a loader with processes and pinned memory, mixed precision,
a scheduler, a checkpoint of activations and a saved state."""

import io

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 1, 8, 8), torch.randint(3, (64,)))
    first = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten())
    model = nn.ModuleList([first, nn.Sequential(nn.Dropout(0.1), nn.Linear(144, 3))]).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    scaler = torch.amp.GradScaler("cuda")
    losses = []
    for _ in range(2):
        losses.append(0.0)
        for x, y in DataLoader(data, batch_size=16, shuffle=True, pin_memory=True, num_workers=2):
            x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
            optimizer.zero_grad()
            with torch.autocast("cuda"):
                loss = nn.functional.cross_entropy(checkpoint(model[1], model[0](x), use_reentrant=False), y)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            losses[-1] += loss.item()
        scheduler.step()
    assert losses[1] < losses[0], losses
    state = io.BytesIO()
    torch.save(model.state_dict(), state)
    state.seek(0)
    model.load_state_dict(torch.load(state, map_location="cuda"))
    model.eval()
    with torch.inference_mode():
        print(model[1](model[0](torch.randn(2, 1, 8, 8, device="cuda"))).shape)


if __name__ == "__main__":
    main()
