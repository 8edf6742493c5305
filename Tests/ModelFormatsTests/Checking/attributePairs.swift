/// Attributes: types, defaults, validation, flags, composites: MC12.
let attributePairs: [Pair] = [
  Pair(
    "entities: {E: {attributes: {1️⃣a: undefined}}}", ["1️⃣ MC1202 a"],
    "entities: {E: {attributes: {a: {type: undefined, transient: true}}}}"),
  Pair(
    "entities: {E: {attributes: {a: {type: 1️⃣double = 0, min: 0}, b: {type: 2️⃣[]}}}}",
    ["1️⃣ MC1201 double = 0", "2️⃣ MC0004 []"],
    "entities: {E: {attributes: {a: {type: double, default: 0, min: 0}}}}"),
  Pair(
    "entities: {E: {attributes: {a: integer16 = 1️⃣40000}}}", ["1️⃣ MC1203 40000"],
    "entities: {E: {attributes: {a: integer16 = 32767, b: integer32 = 0.0}}}"),
  Pair(
    "entities: {E: {attributes: {a: boolean = 1️⃣perhaps, b: date = 2️⃣soon, c: uuid = 3️⃣7}}}",
    ["1️⃣ MC1203 perhaps", "2️⃣ MC1203 soon", "3️⃣ MC1203 7"],
    "entities: {E: {attributes: {a: boolean = 1, b: date = 2024-05-01, c: uuid = 6F9619FF-8B86-D011-B42D-00CF4FC964FF}}}"
  ),
  Pair(
    "entities: {E: {attributes: {a: {type: integer16, default: 1️⃣0, min: 1}}}}", ["1️⃣ MC1204 0"],
    "entities: {E: {attributes: {a: {type: integer16, default: 1, min: 1, max: 1}}}}"),
  Pair(
    "entities: {E: {attributes: {a: {type: string, default: 1️⃣ab, maxLength: 1}, b: {type: string, default: 2️⃣abc, matching: \"[a-b]+\"}}}}",
    ["1️⃣ MC1204 ab", "2️⃣ MC1204 abc"],
    "entities: {E: {attributes: {a: {type: string, default: a, maxLength: 1}, b: {type: string, default: ab, matching: \"a|ab\"}}}}"
  ),
  Pair(
    "entities: {E: {attributes: {a: {type: decimal, min: 1️⃣10, max: 9.5}, b: {type: date, min: 2️⃣2024-05-02, max: 2024-05-01}, c: {type: string, minLength: 3️⃣3, maxLength: 2}}}}",
    ["1️⃣ MC1205 10", "2️⃣ MC1205 2024-05-02", "3️⃣ MC1205 3"],
    "entities: {E: {attributes: {a: {type: decimal, min: 9.5, max: 10}, b: {type: date, min: 2024-05-01, max: 2024-05-02}, c: {type: string, minLength: 2, maxLength: 2}}}}"
  ),
  Pair(
    "entities: {E: {attributes: {a: {type: string, matching: 1️⃣\"[a\"}}}}", ["1️⃣ MC1206 \"[a\""],
    "entities: {E: {attributes: {a: {type: string, matching: \"[a]\"}}}}"),
  Pair(
    "entities: {E: {attributes: {a: {type: integer16, matching: 1️⃣x}, b: {type: string, min: 2️⃣1}}}}",
    ["1️⃣ MC1207 x", "2️⃣ MC1207 1"],
    "entities: {E: {attributes: {a: {type: string, matching: x}, b: {type: string, minLength: 1}}}}"),
  Pair(
    "entities: {E: {attributes: {a: {type: integer16, min: 1️⃣three}}}}", ["1️⃣ MC0004 three"],
    "entities: {E: {attributes: {a: {type: integer16, min: 3}}}}"),
  Pair(
    "entities: {E: {attributes: {a: {type: string, externalStorage: 1️⃣true}, b: {type: decimal, scalar: 2️⃣true}, c: {type: string, transient: true, preserveAfterDeletion: 3️⃣true}}}}",
    ["1️⃣ MC1209 true", "2️⃣ MC1209 true", "3️⃣ MC1209 true"],
    "entities: {E: {attributes: {a: {type: binary, externalStorage: true}, b: {type: decimal, scalar: false}, c: {type: string, preserveAfterDeletion: true}}}}"
  ),
  Pair(
    "entities: {E: {attributes: {n: string, a: {type: string, derivation: n, transient: 1️⃣true}, b: {type: string, derivation: n, default: 2️⃣x}}}}",
    ["1️⃣ MC1213 true", "2️⃣ MC1213 x"],
    "entities: {E: {attributes: {n: string, a: {type: string, derivation: n}}}}"),
  Pair(
    "entities: {E: {attributes: {a: {type: composite, composite: 1️⃣Cordinate}, 2️⃣b: composite}}}\ncomposites: {Coordinate: {x: double}}",
    ["1️⃣ MC1220 Cordinate", "2️⃣ MC1220 b"],
    "entities: {E: {attributes: {a: {type: composite, composite: Coordinate}}}}\ncomposites: {Coordinate: {x: double}}"
  ),
  Pair(
    "entities: {}\ncomposites: {1️⃣A: {}, 2️⃣B: {c: {type: composite, composite: C}}, C: {b: {type: composite, composite: B}}}",
    ["1️⃣ MC1220 A", "2️⃣ MC1220 B"],
    "entities: {}\ncomposites: {A: {x: string}, B: {c: {type: composite, composite: C}, a: {type: composite, composite: A}}, C: {a: {type: composite, composite: A}}}"
  ),
  Pair(
    "entities: {}\ncomposites: {A: {1️⃣x: objectID, 2️⃣y: {type: binary, externalStorage: true}}}",
    ["1️⃣ MC1221 x", "2️⃣ MC1221 y"], "entities: {}\ncomposites: {A: {x: string, y: binary}}"),
  Pair(
    "entities: {E: {attributes: {1️⃣a: transformable, b: {type: transformable, transformer: 2️⃣NSKeyedUnarchiveFromData}}}}",
    ["1️⃣ MC1208 a", "2️⃣ MC1208 NSKeyedUnarchiveFromData"],
    "entities: {E: {attributes: {a: {type: transformable, transformer: NSSecureUnarchiveFromData}, b: {type: transformable, transformer: ColorTransformer}, c: {type: transformable, transient: true}}}}"
  ),
  Pair(
    "entities: {E: {attributes: {1️⃣a: string, 2️⃣b: {type: date, min: 2001-01-01}}}}",
    ["1️⃣ MC1210 a", "2️⃣ MC1210 b"],
    "entities: {E: {attributes: {a: string?, b: date = 2024-05-01, c: {type: string, transient: true}, d: {type: string, derivation: a}}}}"
  ),
  Pair(
    "entities: {E: {attributes: {a: {type: integer16?, scalar: 1️⃣true}}}}", ["1️⃣ MC1214 true"],
    "entities: {E: {attributes: {a: {type: integer16, scalar: true, default: 0}, b: {type: integer16?, scalar: false}}}}"
  ),
  Pair(
    "entities: {E: {attributes: {1️⃣a: {type: composite, composite: C}}}}\ncomposites: {C: {x: double?, y: double?}}",
    ["1️⃣ MC1222 a"],
    "entities: {E: {attributes: {a: {type: composite, composite: C}, b: {type: composite?, composite: D}}}}\ncomposites: {C: {x: double?, y: double}, D: {x: double?}}"
  ),
  Pair(
    "entities: {E: {attributes: {a: boolean = 1️⃣ture, b: objectID = 2️⃣x}}}", ["1️⃣ MC1203 ture", "2️⃣ MC1203 x"],
    "entities: {E: {attributes: {a: boolean = true, b: objectID}}}"),
  Pair(
    "entities: {E: {attributes: {a: integer16 = 1️⃣nil, b: {type: date, default: 2️⃣null}}}}",
    ["1️⃣ MC1203 nil", "2️⃣ MC1203 null"], "entities: {E: {attributes: {a: integer16, b: {type: date}}}}"),
]
