"""What was measured, a line each, beside what must hold."""
import threading


class Table:
    """Prints its rows as they come, or only those that do not hold, and counts them; many threads may use it."""

    def __init__(self, is_whole=True, is_headed=True):
        self.is_whole, self.looks, self.failed, self.lock = is_whole, 0, 0, threading.Lock()
        if is_headed and is_whole:
            self.row("attack", "what", "measured", "bound", "")

    def row(self, *cells):
        print("{:<22} {:<26} {:>26}  {:<34} {}".format(*cells).rstrip(), flush=True)

    def note(self, attack, what, measured):
        if self.is_whole:
            self.row(attack, what, measured, "", "")

    def check(self, attack, what, measured, bound, holds):
        with self.lock:
            self.looks += 1
            self.failed += not holds
            if self.is_whole or not holds:
                self.row(attack, what, measured, bound, "" if holds else "DOES NOT HOLD")

    def add(self, failed):
        """Counts what did not hold in another process, which printed its rows itself."""
        with self.lock:
            self.failed += failed
