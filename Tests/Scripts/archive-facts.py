#!/usr/bin/env python3
"""Prints what a model's keyed archive says, one fact a line, with nothing of modelc's in the way.

    archive-facts.py FILE

FILE is a .mom, or the content of a store's Z_MODELCACHE (raw DEFLATE). A line is `where.key = value`: the model's own
keys, each entity's, each property's, values followed through all objects with their classes. Entities and properties
are named where they are referred to, so no line depends on the numbers of objects; sets and dictionaries are sorted.
"""
import plistlib
import sys
import zlib

ARRAYS = ("NSArray", "NSMutableArray")
SETS = ("NSSet", "NSMutableSet")
DICTIONARIES = ("NSDictionary", "NSMutableDictionary")


class Archive:
    def __init__(self, data):
        if not data.startswith(b"bplist"):
            data = zlib.decompress(data, -15)
        root = plistlib.loads(data, fmt=plistlib.FMT_BINARY)
        assert root["$archiver"] == "NSKeyedArchiver", root["$archiver"]
        assert root["$version"] == 100000, root["$version"]
        self.objects = root["$objects"]
        self.model = self.at(root["$top"]["root"])

    def at(self, value):
        return self.objects[value.data] if isinstance(value, plistlib.UID) else value

    def class_of(self, value):
        value = self.at(value)
        return self.at(value["$class"])["$classname"] if isinstance(value, dict) and "$class" in value else None

    def entries(self, value):
        value = self.at(value)
        if self.class_of(value) == "NSKnownKeysDictionary1":
            keys = self.at(self.at(value["searchMapping"])["keys"])["NS.objects"]
            return [(self.at(k), v) for k, v in zip(keys, self.at(value["values"])["NS.objects"])]
        return [(self.at(k), v) for k, v in zip(value["NS.keys"], value["NS.objects"])]

    def text(self, value, depth=0):
        value = self.at(value)
        if isinstance(value, str):
            return "nil" if value == "$null" else repr(value)
        name = self.class_of(value)
        if name is None:
            return f"{type(value).__name__} {value!r}"
        if name == "NSEntityDescription":
            return "entity " + self.at(value["NSEntityName"])
        if name.endswith(("AttributeDescription", "RelationshipDescription", "PropertyDescription")):
            return f"property {self.at(value['NSPropertyName'])} of {self.text(value['NSEntity'])}"
        if name in ("NSManagedObjectModel", "NSFetchIndexDescription") and depth:
            return name
        if name in ARRAYS:
            return f"{name}[{', '.join(self.text(v, depth + 1) for v in value['NS.objects'])}]"
        if name in SETS:
            return f"{name}{{{', '.join(sorted(self.text(v, depth + 1) for v in value['NS.objects']))}}}"
        if name in DICTIONARIES or name == "NSKnownKeysDictionary1":
            pairs = sorted(f"{k}: {self.text(v, depth + 1)}" for k, v in self.entries(value))
            return f"{name}{{{', '.join(pairs)}}}"
        fields = sorted((k, v) for k, v in value.items() if k != "$class")
        return f"{name}({', '.join(f'{k}: {self.text(v, depth + 1)}' for k, v in fields)})"

    def classes(self):
        for value in self.objects:
            if isinstance(value, dict) and "$classname" in value:
                yield f"class {value['$classname']} = {value['$classes']}"

    def facts(self, where, value):
        value = self.at(value)
        yield f"{where} = {self.class_of(value)}"
        for key, field in value.items():
            if key == "NSFetchIndexDescriptions":
                for index in self.at(field)["NS.objects"]:
                    index_name = self.at(self.at(index)["NSIndexName"])
                    yield from self.facts(f"{where}.{key}.{index_name}", index)
            elif key != "$class":
                yield f"{where}.{key} = {self.text(field, 1)}"

    def lines(self):
        yield from self.classes()
        yield from self.facts("model", self.model)
        for name, entity in self.entries(self.model["NSEntities"]):
            yield from self.facts(name, entity)
            for key, value in self.entries(self.at(entity)["NSProperties"]):
                yield from self.facts(f"{name}.{key}", value)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        print("\n".join(sorted(Archive(file.read()).lines())))
