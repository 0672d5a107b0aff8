#!/usr/bin/env python3
"""Prints the commands of the one console block of a page that contains a text, without their prompts.

    documented_commands.py PAGE TEXT

Exit status: 0; 1 no block contains the text, or several do.
"""

import pathlib
import sys

sys.dont_write_bytecode = True

import console
import page as pages


def documented_commands(page: pathlib.Path, part: str) -> list[str]:
    blocks = [block for block in pages.read(page).blocks
              if block.language == "console" and part in "\n".join(block.lines)]
    if len(blocks) != 1:
        raise ValueError(f"{page}: expected one console block with '{part}', found {len(blocks)}")
    return [command.text for command in console.commands_of(blocks[0])]


if __name__ == "__main__":
    try:
        print("\n".join(documented_commands(pathlib.Path(sys.argv[1]), sys.argv[2])))
    except ValueError as error:
        sys.exit(str(error))
