#!/usr/bin/env python3
"""Holds `export --as sqlite` and `--as csv` against `export --as jsonl`: plain-tables.py LINES DATABASE FOLDER.

Every object, value and reference of the lines has to be in the tables, and no row more. Prints what differs.
"""
import base64
import csv
import datetime
import json
import pathlib
import plistlib
import sqlite3
import sys

csv.field_size_limit(1 << 30)
EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)


def is_equal(said, cell):
    """Whether a value of JSON Lines is the one of a cell."""
    if isinstance(said, (bool, int, float)) or said is None or said == cell:
        return said == cell
    if isinstance(cell, bytes):
        return base64.b64decode(said) == cell
    if isinstance(cell, (int, float)):
        return float({".inf": "inf", "-.inf": "-inf"}.get(said, said)) == cell
    if not isinstance(cell, str):
        return False
    try:
        # Dates with a fraction are seconds there.
        date = datetime.datetime.fromisoformat(cell.replace("Z", "+00:00"))
        return abs((date - EPOCH).total_seconds() - float(said)) < 2e-6
    except ValueError:
        pass
    try:
        plistlib.loads(base64.b64decode(said))
        return True
    except Exception:
        return False


class Tables:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.db.row_factory = sqlite3.Row
        names = self.db.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
        self.rows = {name: self.db.execute(f'SELECT * FROM "{name}"').fetchall() for name, _ in names}
        self.tables = [name for name, kind in names if kind == "table"]
        self.by_key = {name: {row[0]: row for row in rows} for name, rows in self.rows.items()}
        self.links = {}

    def row(self, entity, key):
        return self.by_key.get(entity, {}).get(key)

    def members(self, entity, relationship, owner):
        """By the table of the relationship; None where there is none."""
        name = f"{entity}_{relationship}"
        if name not in self.tables:
            return None
        if name not in self.links:
            self.links[name] = {}
            for row in sorted(self.rows[name], key=lambda row: row[2] if len(row) > 2 else 0):
                self.links[name].setdefault(row[0], []).append(row[1])
        return self.links[name].get(owner, [])


def complaints(lines, tables):
    counts = {}
    for line in lines:
        entity, key = line["object"].split("/p")
        counts[entity] = counts.get(entity, 0) + 1
        row = tables.row(entity, int(key))
        if row is None:
            yield f"{line['object']} is missing"
            continue
        if "entity" in row.keys() and row["entity"] != entity and "entity" not in line["attributes"]:
            yield f"{line['object']} is of {row['entity']}"
        for name, said in line["attributes"].items():
            if not is_equal(said, row[name.replace(".", "_")]):
                yield f"{line['object']}.{name}: {said!r}, but {row[name.replace('.', '_')]!r}"
        for name, said in line["relationships"].items():
            if isinstance(said, str):
                if row[name + "_id"] != int(said.split("/p")[1]):
                    yield f"{line['object']}.{name}: {said}, but {row[name + '_id']}"
                continue
            keys = [int(member.split("/p")[1]) for member in said]
            linked = next((found for kind in tables.tables
                           if (found := tables.members(kind, name, int(key))) is not None and found), None)
            if linked is not None and linked != keys and sorted(linked) != sorted(keys):
                yield f"{line['object']}.{name}: {keys}, but {linked}"
            elif linked is None:
                member = tables.row(said[0].split("/p")[0], keys[0])
                others = [column for column in member.keys() if column.endswith("_id") and member[column] == int(key)]
                far = any(int(key) in (row[1] for row in tables.rows[name]) for name in tables.tables if len(tables.rows[name]) and len(tables.rows[name][0]) in (2, 3))
                if not others and not far:
                    yield f"{line['object']}.{name}: no key leads back from {said[0]}"
    for name in tables.tables:
        rows = tables.rows[name]
        if name in counts and rows and "entity" not in rows[0].keys() and len(rows) != counts[name]:
            yield f"{name}: {counts[name]} objects, but {len(rows)} rows"
    kinds = {name for name in tables.rows if name in counts or any("entity" in row.keys() for row in tables.rows[name][:1])}
    roots = [name for name in tables.tables if name in kinds]
    if sum(len(tables.rows[name]) for name in roots) != len(lines):
        yield f"{len(lines)} objects, but {sum(len(tables.rows[name]) for name in roots)} rows in {roots}"


def csv_complaints(folder, tables):
    files = {path.stem: path for path in pathlib.Path(folder).glob("*.csv")}
    if sorted(files) != sorted(tables.tables):
        yield f"files {sorted(files)}, but tables {sorted(tables.tables)}"
    try:
        import duckdb
    except ImportError:
        duckdb = None
    for name, path in files.items():
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))[1:]
        if [row[0] for row in rows] != [str(row[0]) for row in tables.rows[name]]:
            yield f"{path.name} has other rows than the table"
        if duckdb and rows:
            query = f"SELECT COUNT(*) FROM read_csv('{path}', header = true, max_line_size = 100000000)"
            count = duckdb.sql(query).fetchall()[0][0]
            if count != len(rows):
                yield f"DuckDB reads {count} rows of {path.name}, not {len(rows)}"
    if duckdb:
        print("DuckDB read them", file=sys.stderr)


lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
tables = Tables(sys.argv[2])
found = list(complaints(lines, tables)) + list(csv_complaints(sys.argv[3], tables))
print("\n".join(found[:20]), end="\n" if found else "")
sys.exit(1 if found else 0)
