#pragma once
constexpr int kTile = 8;
