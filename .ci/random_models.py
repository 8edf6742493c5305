"""Random models, edits and mappings of `.ci/accounts`, with what this script has to know of them.

Entities, attributes and relationships are known by their number; a name is how one version calls them.
"""
import json
import random
import types
from dataclasses import dataclass, field


class Attribute(types.SimpleNamespace):
    """`counts` is the to-many whose objects a derived attribute counts; `elements` are a composite's, by number."""

    optional, default, external, counts, elements, former = True, None, False, None, None, None


class Relationship(types.SimpleNamespace):
    inverse, ordered, former = None, False, None


class Entity:
    def __init__(self, name, parent=None, abstract=False):
        self.name, self.parent, self.abstract, self.former = name, parent, abstract, None
        self.attributes, self.relationships, self.unique = {}, {}, []


class Model:
    def __init__(self):
        self.entities = {}

    def line(self, number):
        """An entity and those above it, the root last."""
        return [] if number is None else [number, *self.line(self.entities[number].parent)]

    def kinds(self, number):
        return [kind for kind in self.entities if number in self.line(kind)]

    def attributes(self, number):
        return {key: one for each in self.line(number) for key, one in self.entities[each].attributes.items()}

    def leaves(self, number):
        """What objects store: attributes, those of composites one by one."""
        return {k: leaf for key, one in self.attributes(number).items() for k, leaf in (one.elements or {key: one}).items()}

    def relationships(self, number):
        return {key: one for each in self.line(number) for key, one in self.entities[each].relationships.items()}

    def all_relationships(self):
        return [(number, key, one) for number, each in self.entities.items() for key, one in each.relationships.items()]

    def relationship(self, key):
        return next((one for _, each, one in self.all_relationships() if each == key), None)

    def owner(self, key):
        return next(number for number, each, _ in self.all_relationships() if each == key)

    def settle(self):
        """After an edit: what needs something that is gone goes too, and inverses lead to each other's owners."""
        for each in self.entities.values():
            each.relationships = {key: one for key, one in each.relationships.items() if one.to in self.entities}
        for number, key, one in self.all_relationships():
            other = self.relationship(one.inverse)
            if other is None or other.inverse != key:
                one.inverse = None
            else:
                one.to, other.to = self.owner(one.inverse), number
        for number, each in self.entities.items():
            many = {key for key, one in self.relationships(number).items() if one.many}
            each.attributes = {key: one for key, one in each.attributes.items() if one.counts is None or one.counts in many}
            each.unique = [key for key in each.unique if key in each.attributes]

    def yaml(self):
        composites, lines = [], []
        for each in self.entities.values():
            lines += [f"  {each.name}:", f"    abstract: {json.dumps(each.abstract)}"]
            lines += [f"    parent: {self.entities[each.parent].name}"] if each.parent else []
            lines += [f"    renamingIdentifier: {each.former}"] if each.former else []
            lines += ["    attributes:"] if each.attributes else []
            for one in each.attributes.values():
                lines.append(f"      {one.name}: {self.attribute(one)}")
                if one.elements:
                    composites.append(f"  {one.name.capitalize()}:")
                    composites += [f"    {leaf.name}: {self.attribute(leaf)}" for leaf in one.elements.values()]
            lines += ["    relationships:"] if each.relationships else []
            for one in each.relationships.values():
                fields = {"toMany" if one.many else "to": self.entities[one.to].name, "ordered": json.dumps(one.ordered)}
                fields["inverse"] = self.relationship(one.inverse).name if one.inverse else None
                lines.append(f"      {one.name}: {flow(fields | {'renamingIdentifier': one.former})}")
            lines += [f"    uniquenessConstraints: [[{each.attributes[key].name}]]" for key in each.unique]
        return "\n".join((["composites:", *composites] if composites else []) + ["entities:", *lines, ""])

    def attribute(self, one):
        fields = {"type": one.kind + "?" * one.optional, "externalStorage": json.dumps(one.external)}
        fields["renamingIdentifier"] = one.former
        fields["composite"] = one.name.capitalize() if one.elements else None
        fields["default"] = None if one.default is None else json.dumps(one.default, ensure_ascii=False)
        fields["derivation"] = f"{self.relationship(one.counts).name}.@count" if one.counts else None
        return flow(fields)


def flow(fields):
    return "{" + ", ".join(f"{key}: {text}" for key, text in fields.items() if text is not None) + "}"


NUMBERS = ["integer16", "integer32", "integer64", "decimal", "double", "float"]
KINDS = [*NUMBERS, "boolean", "string", "string", "date", "binary", "uuid", "uri"]
DEFAULTS = {"integer16": [0, 7, -3], "integer32": [0, 70000], "integer64": [2**53 + 1, -(2**63)], "decimal": [2.25],
            "double": [1.5], "float": [0.5], "boolean": [True, False], "string": ["", "dflt", "\U0001F600"]}


class Maker:
    """What a seed draws: names that never come again, models, and edits of them."""

    def __init__(self, seed):
        self.draw, self.count = random.Random(f"accounts {seed}"), 0

    def number(self):
        self.count += 1
        return self.count

    def name(self):
        letters = "".join(self.draw.choice("bcdfgklmnprstv") + self.draw.choice("aeiou") for _ in range(2))
        return letters + "x" + "".join(chr(97 + int(digit)) for digit in str(self.number())) + "z"

    def chance(self, share):
        return self.draw.random() < share

    def one_of(self, properties, tags=False):
        keys = [key for key, one in properties.items() if tags or not one.name.startswith("owntag")]
        return self.draw.choice(keys) if keys else None

    def attribute(self):
        one = Attribute(name=self.name(), kind=self.draw.choice(KINDS), optional=self.chance(0.75))
        one.external = one.kind == "binary" and self.chance(0.5)
        if one.kind in DEFAULTS and (not one.optional or self.chance(0.4)):
            one.default = self.draw.choice(DEFAULTS[one.kind])
        return one

    def entity(self, parent=None, abstract=False):
        """Each has a tag of its own, so that its objects are found wherever it moves; no name that is drawn begins like it."""
        one = Entity(self.name().capitalize(), parent, abstract)
        one.attributes[self.number()] = Attribute(name="owntag" + self.name(), kind="string")
        return one

    def relate(self, model, number):
        there = number if self.chance(0.3) else self.draw.choice(list(model.entities))
        key, many = self.number(), self.chance(0.6)
        one = Relationship(name=self.name(), to=there, many=many, ordered=many and self.chance(0.4))
        model.entities[number].relationships[key] = one
        if number == there and self.chance(0.25):
            one.inverse, one.ordered = key, False
        elif self.chance(0.8):
            self.invert(model, number, key, one)

    def invert(self, model, number, key, one):
        one.inverse, many = self.number(), self.chance(0.5)
        other = Relationship(name=self.name(), to=number, many=many, inverse=key, ordered=many and self.chance(0.4))
        model.entities[one.to].relationships[one.inverse] = other

    def model(self):
        model = Model()
        for _ in range(self.draw.randint(2, 6)):
            parents = [number for number in model.entities if len(model.line(number)) < 4]
            number, entity = self.number(), self.entity(self.draw.choice(parents) if parents and self.chance(0.6) else None)
            model.entities[number] = entity
            for _ in range(self.draw.randint(0, 4)):
                one = entity.attributes[self.number()] = self.attribute()
                # Siblings may have attributes of one name, whose columns get numbers.
                if self.chance(0.2) and all(leaf.name != "alpha" for leaf in model.leaves(number).values()):
                    one.name = "alpha"
            if self.chance(0.2):
                parts = {self.number(): Attribute(name=self.name(), kind=kind) for kind in ("string", "integer32")}
                entity.attributes[self.number()] = Attribute(name=self.name(), kind="composite", elements=parts)
        for number, entity in model.entities.items():
            entity.abstract = len(model.kinds(number)) > 1 and self.chance(0.3)
        for _ in range(self.draw.randint(1, 5)):
            self.relate(model, self.draw.choice(list(model.entities)))
        model.settle()
        return model

    def edit(self, model):
        """What a developer does between two versions."""
        for _ in range(self.draw.randint(1, 5)):
            number = self.draw.choice(list(model.entities))
            entity = model.entities[number]
            edits = [lambda: self.edit_entity(model, entity, number), lambda: self.edit_relationship(model, entity, number),
                     lambda: self.edit_attribute(model, entity, number)]
            self.draw.choice(edits)()
            model.settle()

    def rename(self, one, name):
        # The renaming identifier is the first name, through all versions.
        one.former, one.name = one.former or one.name, name

    def edit_entity(self, model, entity, number):
        what = self.draw.choice(["name", "name", "abstract", "unique", "attribute", "relationship", "count", "above", "parent",
                                 "gone"])
        plain = {key: one for key, one in entity.attributes.items() if not one.counts}
        if what == "name":
            self.rename(entity, self.name().capitalize())
        elif what == "abstract":
            entity.abstract ^= self.chance(0.3)
        elif what == "unique" and not entity.unique:
            keys = {key: one for key, one in plain.items() if one.kind in ("string", "integer64", "uuid")}
            entity.unique = [key for key in [self.one_of(keys, tags=self.chance(0.5))] if key]
        elif what == "attribute":
            entity.attributes[self.number()] = self.attribute()
        elif what == "relationship":
            self.relate(model, number)
        elif what == "count":
            if key := self.one_of({key: one for key, one in entity.relationships.items() if one.many and one.inverse}):
                entity.attributes[self.number()] = Attribute(name=self.name(), kind="integer64", counts=key)
        elif what == "above":
            parent = self.number()
            model.entities[parent], entity.parent = self.entity(entity.parent, self.chance(0.7)), parent
        elif what == "parent":
            others = [each for each in model.entities if number not in model.line(each) and len(model.line(each)) < 4]
            if all(leaf.name != "alpha" for kind in model.kinds(number) for leaf in model.leaves(kind).values()):
                entity.parent = self.draw.choice([None, *others])
        elif what == "gone" and len(model.entities) > 2 and model.kinds(number) == [number]:
            model.entities.pop(number)

    def edit_attribute(self, model, entity, number):
        what = self.draw.choice(["name", "new", "swap", "gone", "kind", "kind", "optional", "move", "move", "external"])
        key = self.one_of(entity.attributes, tags=what in ("name", "move"))
        one, others = entity.attributes.get(key), {each: one for each, one in entity.attributes.items() if each != key}
        plain = one is not None and not one.elements and one.name != "alpha"
        numbers = [leaf for leaf in model.leaves(number).values() if leaf.kind in NUMBERS + ["boolean"] and not leaf.counts]
        if what == "name" and one:
            self.rename(one, "owntag" * one.name.startswith("owntag") + self.name())
        elif what == "new" and plain:
            # To the migration one goes and another comes. (The name of a composite is in no hash.)
            del entity.attributes[key]
            entity.attributes[self.number()] = Attribute(**vars(one) | {"name": self.name(), "former": None})
        elif what == "swap" and plain and (other := others.get(self.one_of(others))) and not one.former \
                and not other.former and one.kind != other.kind:
            # Of one kind, both versions would have the same hashes.
            names = one.name, other.name
            self.rename(one, names[1]), self.rename(other, names[0])
        elif what == "gone":
            entity.attributes.pop(key, None)
        elif what == "kind":
            for one in self.draw.sample(numbers, min(1, len(numbers))):
                one.kind = self.draw.choice(NUMBERS)
                one.default = None if one.default is None else self.draw.choice(DEFAULTS[one.kind])
        elif what == "optional" and plain and one.kind in DEFAULTS and not one.counts:
            one.optional ^= True
            one.default = self.draw.choice(DEFAULTS[one.kind]) if self.chance(0.8) else one.default
        elif what == "move" and plain:
            owners = [entity.parent] * 2 if entity.parent else []
            if not one.name.startswith("owntag"):
                owners += [child for child, each in model.entities.items() if each.parent == number]
            for owner in self.draw.sample(owners, min(1, len(owners))):
                model.entities[owner].attributes[key] = entity.attributes.pop(key)
        elif what == "external" and one and one.kind == "binary":
            one.external ^= True

    def edit_relationship(self, model, entity, number):
        what = self.draw.choice(["name", "gone", "up", "cardinality", "cardinality", "destination", "inverse"])
        if (key := self.one_of(entity.relationships)) is None:
            return
        one = entity.relationships[key]
        related = {*model.line(one.to), *model.kinds(one.to)} - {one.to}
        others = [each for each in model.entities if each in related]
        if what == "name":
            self.rename(one, self.name())
        elif what == "gone":
            entity.relationships.pop(key)
            if one.inverse and one.inverse != key and self.chance(0.5):
                model.entities[model.owner(one.inverse)].relationships.pop(one.inverse)
        elif what == "up" and entity.parent:
            model.entities[entity.parent].relationships[key] = entity.relationships.pop(key)
        elif what == "cardinality":
            one.many ^= self.chance(0.5)
            one.ordered = one.many and one.inverse != key and self.chance(0.5)
        elif what == "destination" and others and one.inverse != key:
            old, one.to = one.to, self.draw.choice(others)
            if one.inverse:
                model.entities[one.to].relationships[one.inverse] = model.entities[old].relationships.pop(one.inverse)
        elif what == "inverse" and one.inverse:
            model.relationship(one.inverse).inverse = one.inverse = None
        elif what == "inverse":
            self.invert(model, number, key, one)


# -------------------------------------------------------------------------------------------------------------- the mapping


@dataclass
class Part:
    """An entity mapping: what its file says, and what that means."""

    name: str
    source: int
    destination: int
    says: dict = field(default_factory=dict)
    attributes: dict = field(default_factory=dict)
    relationships: dict = field(default_factory=dict)
    takes: object = lambda one: True
    group: object = lambda one: None  # Objects with one key become one; nil is no key.
    keep: str = "first"
    tag: object = None  # The tag of a new object; by default the old one's.
    values: dict = field(default_factory=dict)
    links: dict = field(default_factory=dict)  # To what another part made of the same object.
    reads: set = field(default_factory=set)
    decides: int = None  # The attribute that its condition reads.

    def yaml(self, before, after):
        lines = [f"  {self.name}:", f"    source: {before.entities[self.source].name}"]
        lines.append(f"    destination: {after.entities[self.destination].name}")
        lines += [f"    {key}: {text}" for key, text in self.says.items()]
        for what, pairs in (("attributes", self.attributes), ("relationships", self.relationships)):
            lines += [f"    {what}:", *(f"      {name}: '{text}'" for name, text in pairs.items())] if pairs else []
        return lines


class Mapper:
    """Draws mappings of a step's entities, and adds to the later version what they fill."""

    def __init__(self, maker, models):
        before, after = models[-2:]
        self.maker, self.draw, self.before, self.after, self.parts = maker, maker.draw, before, after, []
        # What an earlier step may have rounded is not read: the account counts it where it is lost, once.
        self.former = {key: one.kind for model in models[:-2] for number in model.entities
                       for key, one in model.attributes(number).items()}
        stay = [number for number in before.entities if number in after.entities
                and not before.entities[number].abstract and not after.entities[number].abstract]
        ways = [self.map_filter, self.map_rest, self.map_group, self.map_value, self.map_split]
        for number in self.draw.sample(stay, min(len(stay), self.draw.randint(1, 3))):
            part = Part(maker.name(), number, number)
            if self.draw.choice(ways)(part):
                self.parts.append(part)
                # Else both versions might have the same hashes, and the mapping no store.
                after.entities[number].attributes[maker.number()] = Attribute(name=maker.name(), kind="string")

    def yaml(self, step):
        lines = [line for part in self.parts for line in part.yaml(self.before, self.after)]
        return "\n".join([f"from: V{step}", f"to: V{step + 1}", "entityMappings:", *lines, ""])

    def plain(self, number, kinds=KINDS):
        return {key: one for key, one in self.before.attributes(number).items()
                if one.kind in kinds and not one.counts and self.former.get(key, one.kind) == one.kind}

    def copy(self, part, entity, key, one, prefix=""):
        """A new attribute of the destination, with the source's values."""
        number, new = self.maker.number(), Attribute(name=prefix + self.maker.name(), kind=one.kind, external=one.external)
        entity.attributes[number], part.attributes[new.name] = new, f"$source.{one.name}"
        part.values[number] = lambda found, objects: found.values.get(key)
        part.reads.add(key)

    def map_filter(self, part):
        """A comparison with nil is neither true nor false: of such objects none is taken."""
        leaves = self.plain(part.source, [*NUMBERS, "string", "date", "uri"])
        if (key := self.maker.one_of(leaves)) is None:
            return None
        name, kind = leaves[key].name, leaves[key].kind
        choices = [(f"{name} == nil", f"{name} != nil", lambda one: key not in one.values),
                   (f"{name} != nil", f"{name} == nil", lambda one: key in one.values)]
        if kind == "string":
            choices += [(f'{name} == "a"', f'{name} == nil OR {name} != "a"',
                         lambda one: one.values.get(key) == ("text", b"a"))] * 2
        elif kind in NUMBERS:
            choices += [(f"{name} > 3", f"{name} == nil OR NOT {name} > 3", lambda one: one.values.get(key, 0) > 3)] * 2
        text, opposite, part.takes = self.draw.choice(choices)
        part.says["where"], part.decides = f"'{text}'", key
        return opposite

    def map_rest(self, part):
        """Some objects stay, the others become those of a new entity, with some of their values."""
        if opposite := self.map_filter(part):
            entity, number = Entity(self.maker.name().capitalize()), self.maker.number()
            rest = Part(self.maker.name(), part.source, number, {"where": f"'{opposite}'"}, decides=part.decides)
            rest.takes = lambda one: not part.takes(one)
            self.after.entities[number], leaves = entity, self.plain(part.source)
            tags = [key for key, one in leaves.items() if one.name.startswith("owntag")]
            for key in [tags[0], *(key for key in leaves if key not in tags and self.maker.chance(0.6))]:
                self.copy(rest, entity, key, leaves[key], "owntag" * (key in tags))
            self.parts.append(rest)
        return opposite

    def map_group(self, part):
        leaves = self.plain(part.source, ["string", "integer16", "integer32", "integer64", "uuid"])
        # Which of the references stay is clear if no other end has a single place for them.
        single = [one for model in (self.before, self.after) for number, _, one in model.all_relationships()
                  if part.source in model.kinds(one.to) and (not model.relationship(one.inverse).many and not one.many
                                                             if one.inverse else one.many)]
        if not single and (key := self.maker.one_of(leaves)):
            part.keep, part.group = self.draw.choice(["first", "last", "merge"]), lambda found: found.values.get(key)
            part.says |= {"groupBy": f"$source.{leaves[key].name}", "keep": part.keep}
            return True

    def map_value(self, part):
        """A new attribute: a copy, how many objects are related, or what a related object has."""
        entity, relationships = self.after.entities[part.destination], self.before.relationships(part.source)
        key = self.maker.one_of(relationships) if self.maker.chance(0.7) else None
        if key is not None and relationships[key].many:
            number, new = self.maker.number(), Attribute(name=self.maker.name(), kind="integer64")
            entity.attributes[number], part.attributes[new.name] = new, f"$source.{relationships[key].name}.@count"
            part.values[number] = lambda found, objects: len(found.links[key])
            return True
        leaves = self.plain(relationships[key].to if key else part.source)
        if leaf := self.maker.one_of(leaves):
            self.copy(part, entity, leaf, leaves[leaf])
            if key:
                part.reads = part.reads - {leaf} | {key}
                name, number = list(part.attributes)[-1], list(part.values)[-1]
                part.attributes[name] = f"$source.{relationships[key].name}.{leaves[leaf].name}"
                part.values[number] = lambda found, objects: next(
                    (objects[tag].values.get(leaf) for tag in found.links[key]), None)
        return leaf

    def map_split(self, part):
        """The values of a text become objects, to which those that had them refer."""
        leaves = self.plain(part.source, ["string"])
        if not any(each.tag for each in self.parts) and (key := self.maker.one_of(leaves)):
            entity, number, here, there = Entity(self.maker.name().capitalize()), *(self.maker.number() for _ in range(3))
            says = {"where": f"{leaves[key].name} != nil", "groupBy": f"$source.{leaves[key].name}"}
            new = Part(self.maker.name(), part.source, number, says, takes=lambda one: key in one.values,
                       group=lambda one: one.values[key], tag=lambda one: one.values[key][1].decode())
            self.after.entities[number] = entity
            self.copy(new, entity, key, leaves[key], "owntag")
            one = Relationship(name=self.maker.name(), to=number, many=False, inverse=there)
            entity.relationships[there] = Relationship(name=self.maker.name(), to=part.source, many=True, inverse=here)
            self.after.entities[part.destination].relationships[here] = one
            part.relationships[one.name], part.links[here] = f'destinationInstances("{new.name}", $source)', new
            self.parts.append(new)
            return True
