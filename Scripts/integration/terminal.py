"""A program in a terminal: its screen, and the typed input."""

import os
import pty
import subprocess
import threading
import time

CLEAR = "\x1b[H\x1b[2J"


class Terminal:
    def __init__(self, *command):
        self.master, slave = pty.openpty()
        # Without an echo, the screen has only what the program draws.
        subprocess.run(["stty", "-echo", "rows", "50", "cols", "100"], stdin=slave, check=True)
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        self.output = b""
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return  # The program has ended.
            if not data:
                return
            self.output += data

    @property
    def screen(self):
        """The lines since the screen was last cleared."""
        return self.output.decode("utf-8", "replace").rsplit(CLEAR, 1)[-1].replace("\r", "").splitlines()

    def type(self, line):
        os.write(self.master, f"{line}\n".encode())

    def wait(self, *lines, seconds=30):
        """Returns whether the screen shows these lines before the time is over."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.screen == list(lines):
                return True
            if self.process.poll() is not None:
                return False
            time.sleep(0.02)
        return False

    def end(self):
        """The exit code, after `quit`."""
        self.type("quit")
        try:
            return self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
