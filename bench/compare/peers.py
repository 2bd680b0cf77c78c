"""The peers that are written in Python, each step in a process of its own, as child.ts does it for those of Node.

    peers.py sqlcipher build PASSAGES TARGET
    peers.py sqlcipher|mdcx first TARGET QUESTION
    peers.py sqlcipher|mdcx warm TARGET QUESTIONS SECONDS
    peers.py mdcx-cli ARGUMENT ...
"""

import atexit
import json
import os
import re
import resource
import sys
import time

HITS = 10
WARM_UP = 5


def process_cost():
    """Said at the end, as process-cost.ts says it: microseconds of processor and KB at the most."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    most = usage.ru_maxrss
    if os.path.exists("/proc/self/status"):
        with open("/proc/self/status") as status:
            most = int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1))
    print(f"\nprocess-cost {round((usage.ru_utime + usage.ru_stime) * 1e6)} {most}", file=sys.stderr)


class SqlCipher:
    """SQLCipher 4 with FTS5: whole pages encrypted and authenticated, a random key, so that no passphrase is stretched."""

    def __init__(self, target):
        from sqlcipher3 import dbapi2

        self.database = dbapi2.connect(target)
        self.database.execute(f"PRAGMA key = \"x'{os.environ['BENCH_KEY']}'\"")

    @staticmethod
    def build(passages, target):
        database = SqlCipher(target).database
        database.execute("PRAGMA journal_mode=OFF")
        database.execute("PRAGMA synchronous=OFF")
        database.execute(
            "CREATE VIRTUAL TABLE passages USING fts5(path UNINDEXED, text, tokenize='porter unicode61')"
        )
        with open(passages, encoding="utf-8") as lines:
            database.executemany("INSERT INTO passages VALUES (?, ?)", (json.loads(line) for line in lines))
        database.commit()
        database.execute("INSERT INTO passages(passages) VALUES ('optimize')")
        database.commit()

    def ask(self, question):
        words = " OR ".join(f'"{word}"' for word in re.findall(r"[^\W_]+", question))
        sql = "SELECT text FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?"
        return self.database.execute(sql, (words, HITS)).fetchall()


class PythonMdcx:
    """The system that mdcx began as: a file that is decrypted whole."""

    def __init__(self, target):
        from pathlib import Path

        from mdcx import archive

        self.query = archive.query
        self.connection, _ = archive.open_package(Path(target), os.environ["MDCX_KEY"])

    def ask(self, question):
        return self.query(self.connection, question, limit=HITS, mode="lexical")


def first(engine, target, question):
    started = time.perf_counter()
    opened = engine(target)
    middle = time.perf_counter()
    found = len(opened.ask(question))
    done = time.perf_counter()
    print(json.dumps({"open": (middle - started) * 1e3, "answer": (done - middle) * 1e3, "found": found}))


def warm(engine, target, questions, seconds):
    with open(questions, encoding="utf-8") as file:
        asked = json.load(file)
    opened = engine(target)
    for question in asked[:WARM_UP]:
        opened.ask(question)
    times, found = [], 0
    ends = time.perf_counter() + float(seconds)
    for question in asked:
        started = time.perf_counter()
        found += len(opened.ask(question))
        times.append((time.perf_counter() - started) * 1e3)
        if time.perf_counter() > ends:
            break
    print(json.dumps({"times": times, "found": found}))


def main():
    name, action, *rest = sys.argv[1:]
    if name == "mdcx-cli":
        from mdcx.archive import main as command

        sys.argv = ["mdcx", action, *rest]
        return command()
    engine = {"sqlcipher": SqlCipher, "mdcx": PythonMdcx}[name]
    if action == "build":
        return engine.build(*rest)
    return {"first": first, "warm": warm}[action](engine, *rest)


atexit.register(process_cost)
if __name__ == "__main__":
    sys.exit(main())
