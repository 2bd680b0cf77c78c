"""Runs a command on a terminal of its own and types answers: on-a-terminal.py DIALOGUE COMMAND...

DIALOGUE is JSON, [[prompt, answer], ...]: an answer is typed once its prompt has appeared, and Enter behind it. What the
terminal shows goes to standard output; the exit code is that of the command.
"""
import fcntl
import json
import os
import pty
import struct
import sys
import termios
import time

COLUMNS = int(os.environ.get("COLUMNS_OF_TERMINAL", "100"))

dialogue = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])

shown = b""
since = 0
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    shown += part
    sys.stdout.buffer.write(part)
    sys.stdout.buffer.flush()
    if dialogue and dialogue[0][0].encode() in shown[since:]:
        # The prompt is written just before the terminal is set not to echo.
        time.sleep(0.3)
        since = len(shown)
        answer = dialogue.pop(0)[1]
        os.write(terminal, answer.encode() + (b"" if answer == "\u0003" else b"\r"))
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 99)
