"""Runs commands with a time limit, and finds the errors in their output."""

import os
import signal
import subprocess
import threading

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
ENVIRONMENT = dict(os.environ, SWIFT_BACKTRACE="enable=no", CHORDATA_OPTIMIZED_TOOLS="1", CHORDATA_WARNINGS_AS_ERRORS="1")

# The processes that run at the moment: an interrupted check must leave none of them behind.
_running = set()
_lock = threading.Lock()


class Outcome:
    """The output of a command and its exit status, which is None after a timeout."""

    def __init__(self, command, status, stdout="", stderr="", timeout=None):
        self.command = command
        self.status = status
        self.stdout = stdout
        self.stderr = stderr
        self.timeout = timeout

    @property
    def failed(self):
        return self.status != 0

    @property
    def name(self):
        """The program and its first arguments, for messages."""
        words = [os.path.basename(self.command[0])] + [os.path.basename(word) for word in self.command[1:4]]
        return " ".join(words) + (" …" if len(self.command) > 4 else "")

    def errors(self):
        """The errors in the output of a command that failed; never an empty text."""
        if self.status is None:
            return f"'{self.name}' did not end within {self.timeout:g} s and was stopped"
        return errors(self.stderr) or errors(self.stdout) or f"'{self.name}' ended with status {self.status}"


def run(command, timeout=120):
    """Runs a command. A timeout and a program that does not exist are outcomes too, never exceptions."""
    try:
        # The command has a session of its own, so that a timeout also ends the processes that the command has started.
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, encoding="utf-8", errors="replace", env=ENVIRONMENT,
                                   start_new_session=True)
    except OSError as error:
        return Outcome(command, 127, stderr=f"error: '{command[0]}' cannot be run: {error.strerror}")
    with _lock:
        _running.add(process.pid)
    try:
        stdout, stderr = process.communicate(timeout=timeout)
        return Outcome(command, process.returncode, stdout, stderr)
    except subprocess.TimeoutExpired:
        _stop(process.pid)
        try:
            stdout, stderr = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            stdout, stderr = "", ""
        return Outcome(command, None, stdout, stderr, timeout)
    except BaseException:
        # The check itself is interrupted.
        _stop(process.pid)
        raise
    finally:
        with _lock:
            _running.discard(process.pid)


def stop_all():
    """Ends every command that still runs."""
    with _lock:
        for pid in _running:
            _stop(pid)


def _stop(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def errors(text):
    """The errors among diagnostics; without any the last lines."""
    lines = text.splitlines()
    return "\n".join([line for line in lines if "error:" in line][:20] or lines[-3:])
