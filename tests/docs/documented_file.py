#!/usr/bin/env python3
"""Writes the file that a block of a page shows (```cpp file=NAME).

    documented_file.py PAGE NAME OUT

Exit status: 0; 1 no block shows the file, or several do.
"""

import pathlib
import sys

sys.dont_write_bytecode = True

import console
import page as pages


def documented_file(page: pathlib.Path, name: str) -> str:
    blocks = [block for block in pages.read(page).blocks
              if (shown := console.FILE.match(block.info or "")) and shown[1] == name]
    if len(blocks) != 1:
        raise ValueError(f"{page}: expected one block with file={name}, found {len(blocks)}")
    return "\n".join(blocks[0].lines) + "\n"


if __name__ == "__main__":
    try:
        text = documented_file(pathlib.Path(sys.argv[1]), sys.argv[2])
        pathlib.Path(sys.argv[3]).write_text(text, encoding="utf-8")
    except ValueError as error:
        sys.exit(str(error))
