"""A shell in a terminal that a test types into."""

import os
import pty
import re
import select
import time

ESCAPES = re.compile(rb"\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b[()][0-9A-B]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b[=>]")


class Terminal:
    def __init__(self, command: list[str], environment: dict[str, str]):
        self.child, self.screen = pty.fork()
        if self.child == 0:
            os.execvpe(command[0], command, environment)
        self.shown = b""

    def type(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def wait_for(self, text: str, seconds: float = 20.0) -> bool:
        """Waits until the text is shown and discards everything up to it. False if the time is over."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            plain = ESCAPES.sub(b"", self.shown)
            at = plain.find(text.encode())
            if at >= 0:
                self.shown = plain[at + len(text):]
                return True
            if select.select([self.screen], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self.screen, 65536)
                except OSError:  # the shell has ended
                    return False
        return False

    def close(self) -> None:
        os.close(self.screen)  # hangs up
        os.waitpid(self.child, 0)
