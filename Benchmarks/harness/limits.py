"""What SQLite itself needs: `limits.py NAME SOURCE TARGET` does one thing in a process of its own.

The unit is `rewrite`: every table by INSERT … SELECT into a new file, journal and synchronous off, indexes after.
"""
import shutil
import sqlite3
import sys


def rewrite(source, target, columns=True):
    connection = sqlite3.connect(target, isolation_level=None)
    run = connection.execute
    run("pragma page_size = 4096")
    run("pragma journal_mode = off")
    run("pragma synchronous = off")
    run(f"attach 'file:{source}?mode=ro' as source")
    tables = run("select name, sql from source.sqlite_master where type = 'table' and name not like 'sqlite_%'").fetchall()
    indexes = run("select sql from source.sqlite_master where type = 'index' and sql not null").fetchall()
    run("begin")
    for _, statement in tables:
        run(statement)
    if not columns:
        for statement, in indexes:
            run(statement)
    for name, _ in tables:
        if columns:
            names = ", ".join(row[1] for row in run(f"pragma source.table_info({name})").fetchall())
            run(f"insert into main.{name} ({names}) select {names} from source.{name}")
        else:
            run(f"insert into main.{name} select * from source.{name}")
    if columns:
        for statement, in indexes:
            run(statement)
    run("commit")
    connection.close()


def backup(source, target):
    connection, copy = sqlite3.connect(source), sqlite3.connect(target)
    copy.execute("pragma journal_mode = off")
    copy.execute("pragma synchronous = off")
    connection.backup(copy, pages=-1)
    copy.close()


def check(source, pragma):
    sqlite3.connect(source).execute(f"pragma {pragma}").fetchall()


LIMITS = {
    "copy of the file": shutil.copyfile,
    "rewrite": rewrite,
    "rewrite by pages": lambda source, target: rewrite(source, target, columns=False),
    "backup API": backup,
    "quick_check": lambda source, _: check(source, "quick_check"),
    "integrity_check": lambda source, _: check(source, "integrity_check"),
}

if __name__ == "__main__":
    if len(sys.argv) == 4:
        sys.argv[1] == "nothing" or LIMITS[sys.argv[1]](*sys.argv[2:])
