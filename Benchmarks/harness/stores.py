"""The stores that are migrated: genuine ones, made by `modelc fixture`, then filled with rows here.

A million objects: 490,000 line items, 300,000 orders, 150,000 customers, 50,000 products, 10,000 tags, and some
300,000 pairs of orders and tags. The same rows for the same count.
"""
import os
import random
import sqlite3
import subprocess

WORDS = (
    "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo "
    "sierra tango uniform victor whiskey xray yankee zulu été naïve 日本").split()


def make(path, rows, modelc, shop):
    """Makes the store unless it is there."""
    if os.path.exists(path):
        return
    part = path + ".part"
    for name in (part, part + "-wal", part + "-shm"):
        if os.path.exists(name):
            os.remove(name)
    subprocess.check_call([modelc, "fixture", "-q", "-C", shop, "--rows", "0", "V1", "-o", part])
    connection = sqlite3.connect(part, isolation_level=None)
    connection.execute("pragma journal_mode = delete")
    connection.execute("pragma synchronous = off")
    fill(connection, rows)
    connection.close()
    os.rename(part, path)


def fill(connection, rows):
    counts = {
        "CUSTOMER": rows * 15 // 100, "PRODUCT": rows * 5 // 100, "ORDER": rows * 30 // 100, "TAG": rows // 100}
    counts["LINEITEM"] = rows - sum(counts.values())
    numbers = dict(connection.execute("select upper(Z_NAME), Z_ENT from Z_PRIMARYKEY"))
    rng = random.Random(7)
    indexes = connection.execute("select name, sql from sqlite_master where type = 'index' and sql not null").fetchall()
    connection.execute("begin")
    for name, _ in indexes:
        connection.execute(f'drop index "{name}"')
    for entity, make_row in generators(rng, counts).items():
        first = make_row(1)
        columns = ["Z_PK", "Z_ENT", "Z_OPT"] + list(first)
        statement = f"insert into Z{entity} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"
        connection.executemany(statement, (
            [key, numbers[entity], rng.randint(1, 6)] + list(make_row(key).values())
            for key in range(1, counts[entity] + 1)))
        connection.execute(
            "update Z_PRIMARYKEY set Z_MAX = ? where Z_ENT = ?", [counts[entity], numbers[entity]])
    table, = [n for n, in connection.execute("select name from sqlite_master where name glob 'Z_[0-9]*TAGS'")]
    pairs = (
        (order, tag) for order in range(1, counts["ORDER"] + 1) if rng.random() < 0.5
        for tag in {rng.randint(1, counts["TAG"]) for _ in range(2)})
    connection.executemany(f"insert into {table} values (?, ?)", pairs)
    for _, statement in indexes:
        connection.execute(statement)
    connection.execute("commit")


def generators(rng, counts):
    def words(count):
        return " ".join(rng.choices(WORDS, k=count))

    def some(share, value):
        return value if rng.random() < share else None

    def moment():
        return 6e8 + rng.random() * 1e8

    def money():
        return rng.randrange(100_000) / 100

    return {
        "CUSTOMER": lambda key: {
            "ZACTIVE": rng.randrange(2), "ZLEVEL": rng.randrange(9), "ZPOINTS": some(.8, rng.randrange(100_000)),
            "ZBORN": some(.7, moment()), "ZCREATED": moment(), "ZBALANCE": money(), "ZSCORE": rng.random(),
            "ZCITY": words(1), "ZEMAIL": f"user{key}@{words(1)[:5]}.example", "ZNAME": words(2),
            "ZSTREET": some(.9, words(4)), "ZTOKEN": rng.randbytes(16), "ZAVATAR": some(.5, rng.randbytes(120))},
        "PRODUCT": lambda key: {
            "ZSTOCK": rng.randrange(1000), "ZACTIVE": rng.randrange(2), "ZRANK": rng.randrange(10**6),
            "ZWEIGHT": rng.random() * 50, "ZADDED": moment(), "ZPRICE": money(), "ZNAME": words(3),
            "ZSKU": f"SKU-{key:07d}", "ZDETAIL": words(14), "ZTHUMBNAIL": some(.6, rng.randbytes(200))},
        "ORDER": lambda key: {
            "ZSTATE": rng.randrange(6), "ZPRIORITY": rng.randrange(4), "ZPAID": rng.randrange(2),
            "ZCUSTOMER": rng.randint(1, counts["CUSTOMER"]), "ZPLACED": moment(), "ZSHIPPED": some(.7, moment()),
            "ZTOTAL": money(), "ZTAX": rng.random() * 20, "ZCODE": f"ORD{key:09d}", "ZNOTE": some(.6, words(10)),
            "ZADDRESS": words(5), "ZTOKEN": rng.randbytes(16)},
        "LINEITEM": lambda key: {
            "ZQUANTITY": rng.randint(1, 20), "ZPOSITION": rng.randrange(10), "ZGIFT": rng.randrange(2),
            "ZORDER": rng.randint(1, counts["ORDER"]), "ZPRODUCT": rng.randint(1, counts["PRODUCT"]),
            "ZADDED": moment(), "ZPRICE": money(), "ZDISCOUNT": some(.3, rng.random()),
            "ZSKU": f"SKU-{rng.randrange(counts['PRODUCT']):07d}", "ZTITLE": words(5), "ZMEMO": some(.7, words(12)),
            "ZTOKEN": rng.randbytes(16)},
        "TAG": lambda key: {
            "ZCOLOR": rng.randrange(8), "ZHIDDEN": rng.randrange(2), "ZCREATED": moment(), "ZWEIGHT": rng.random(),
            "ZNAME": words(2), "ZSLUG": f"tag-{key}"},
    }
