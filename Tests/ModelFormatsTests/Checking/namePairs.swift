/// Names, parents, and what an entity may declare: MC11.
let namePairs: [Pair] = [
  Pair("entities: {1️⃣my hut: {}}", ["1️⃣ MC1101 my hut"], "entities: {my_hut: {}}"),
  Pair("entities: {1️⃣2nd: {}}", ["1️⃣ MC1101 2nd"], "entities: {_2nd: {}}"),
  Pair(
    "entities: {E: {attributes: {1️⃣a-b: string}}}", ["1️⃣ MC1101 a-b"],
    "entities: {E: {attributes: {größe_2: string}}}"),
  Pair(
    "entities: {E: {}}\nconfigurations:\n  1️⃣\"\": [E]", ["1️⃣ MC1101 \"\""],
    "entities: {E: {}}\nconfigurations: {C: [E]}"),
  Pair(
    "entities: {E: {attributes: {1️⃣description: string}}}", ["1️⃣ MC1102 description"],
    "entities: {E: {attributes: {about: string}}}"),
  Pair(
    "entities: {E: {attributes: {1️⃣deleted: boolean, 2️⃣isDeleted: boolean}}}",
    ["1️⃣ MC1102 deleted", "2️⃣ MC1102 isDeleted"],
    "entities: {E: {attributes: {version: string, isSelf: boolean}}}"),
  Pair(
    "entities: {E: {attributes: {name: string, 1️⃣Name: string}}}", ["1️⃣ MC1104 Name"],
    "entities: {E: {attributes: {name: string, title: string}}}"),
  Pair(
    "entities: {E: {attributes: {f: string}, relationships: {1️⃣F: {to: E, inverse: F}}}}", ["1️⃣ MC1104 F"],
    "entities: {E: {attributes: {f: string}, relationships: {g: {to: E, inverse: g}}}}"),
  Pair(
    "entities: {E: {parent: 1️⃣Plce}, Place: {}}", ["1️⃣ MC1105 Plce"],
    "entities: {E: {parent: Place}, Place: {}}"),
  Pair(
    "entities: {A: {parent: 1️⃣B}, B: {parent: C}, C: {parent: A}, D: {parent: A}}", ["1️⃣ MC1106 B"],
    "entities: {A: {parent: B}, B: {parent: C}, C: {}, D: {parent: A}}"),
  Pair("entities: {A: {parent: 1️⃣A}}", ["1️⃣ MC1106 A"], "entities: {A: {}}"),
  Pair(
    "entities: {A: {abstract: 1️⃣true}}", ["1️⃣ MC1107 true"], "entities: {A: {abstract: true}, B: {parent: A}}"
  ),
  Pair(
    "entities: {E: {attributes: {1️⃣_pk: integer64, 2️⃣_FOK_x: string}}}", ["1️⃣ MC1108 _pk", "2️⃣ MC1108 _FOK_x"],
    "entities: {E: {attributes: {pk: integer64, _x: string}}}"),
  Pair(
    "entities: {A: {attributes: {name: string}}, B: {parent: A}, C: {parent: B, attributes: {1️⃣name: string}}}",
    ["1️⃣ MC1110 name"],
    "entities: {A: {attributes: {name: string}}, B: {parent: A}, C: {parent: B, attributes: {Name: string}}}"
  ),
]
