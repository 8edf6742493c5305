import Foundation

/// Relationships: inverses, counts, delete rules: MC13.
let relationshipPairs: [Pair] = [
  Pair(
    "entities: {A: {relationships: {1️⃣b: {to: B}}}, B: {}}", ["1️⃣ MC1301 b"],
    "entities: {A: {relationships: {b: {to: B, inverse: as}}}, B: {relationships: {as: {toMany: A, inverse: b}}}}"
  ),
  Pair(
    "entities: {A: {relationships: {b: {to: B, inverse: 1️⃣az}}}, B: {relationships: {as: {toMany: A, inverse: b}}}}",
    ["1️⃣ MC1302 az"],
    "entities: {A: {relationships: {b: {to: B, inverse: as}}}, B: {relationships: {as: {toMany: A, inverse: b}}}}"
  ),
  Pair(
    "entities: {A: {relationships: {b: {to: B, inverse: as}, c: {to: B, inverse: 1️⃣as}}}, B: {relationships: {as: {toMany: A, inverse: b}}}}",
    ["1️⃣ MC1302 as"],
    "entities: {A: {relationships: {b: {to: B, inverse: as}}}, B: {relationships: {as: {toMany: A, inverse: b}}}}"
  ),
  Pair(
    "entities: {A: {relationships: {b: {to: B, inverse: 1️⃣c}}}, B: {relationships: {c: {to: C, inverse: 2️⃣b}}}, C: {}}",
    ["1️⃣ MC1302 c", "2️⃣ MC1302 b"],
    "entities: {Base: {relationships: {b: {to: B, inverse: a}}}, A: {parent: Base}, B: {relationships: {a: {to: A, inverse: b}}}}"
  ),
  Pair(
    "entities: {A: {relationships: {b: {to: 1️⃣Trial}, c: {toMany: 2️⃣X}}}, Trail: {}}",
    ["1️⃣ MC1303 Trial", "2️⃣ MC1303 X"], "entities: {Trail: {relationships: {t: {to: Trail, inverse: t}}}}"),
  Pair(
    "entities: {A: {relationships: {a: {to: A, inverse: a, deleteRule: 1️⃣noAction}}}}",
    ["1️⃣ MC1304 noAction"], "entities: {A: {relationships: {a: {to: A, inverse: a, deleteRule: deny}}}}"),
  Pair(
    "entities: {X: {attributes: {n: string}, relationships: {y: {to: Y, inverse: x}}, uniquenessConstraints: 1️⃣[[n]]}, Y: {relationships: {x: {to: X, inverse: y, optional: false}}}}",
    ["1️⃣ MC1305 [[n]]"],
    "entities: {X: {attributes: {n: string}, relationships: {y: {to: Y, inverse: x}}, uniquenessConstraints: [[n]]}, Y: {relationships: {x: {to: X, inverse: y}}}}"
  ),
  Pair(
    "entities: {A: {relationships: {a: {toMany: A, inverse: b, min: 1️⃣3, max: 2}, b: {toMany: A, inverse: a, min: 2️⃣-1}}}}",
    ["1️⃣ MC1307 3", "2️⃣ MC1307 -1"],
    "entities: {A: {relationships: {a: {toMany: A, inverse: b, min: 3}, b: {toMany: A, inverse: a, max: -1}}}}"
  ),
  Pair(
    "entities: {A: {relationships: {a: {to: A, inverse: a, ordered: 1️⃣true}}}}", ["1️⃣ MC1311 true"],
    "entities: {A: {relationships: {a: {toMany: A, inverse: a, ordered: true}}}}"),
  Pair(
    "entities: {A: {relationships: {b: {to: B, inverse: as, deleteRule: 1️⃣cascade}}}, B: {relationships: {as: {toMany: A, inverse: b, deleteRule: cascade}}}}",
    ["1️⃣ MC1308 cascade"],
    "entities: {A: {relationships: {b: {to: B, inverse: as}, kids: {toMany: A, inverse: parent, deleteRule: cascade}, parent: {to: A, inverse: kids}}}, B: {relationships: {as: {toMany: A, inverse: b, deleteRule: cascade}}}}"
  ),
  Pair(
    "entities: {A: {relationships: {b: {toMany: B, inverse: a, deleteRule: 1️⃣cascade}}}, B: {relationships: {a: {to: A, inverse: b}, c: {to: C, inverse: b, deleteRule: cascade}}}, C: {relationships: {b: {to: B, inverse: c}, a: {toMany: A, inverse: c2, deleteRule: cascade}}}, D: {parent: A}, X: {relationships: {a: {to: A, inverse: x, deleteRule: cascade}}}}"
      .replacingOccurrences(
        of: "{b: {toMany: B, inverse: a,",
        with: "{c2: {to: C, inverse: a}, x: {to: X, inverse: a}, b: {toMany: B, inverse: a,"),
    ["1️⃣ MC1308 cascade"],
    "entities: {A: {relationships: {b: {toMany: B, inverse: a, deleteRule: cascade}}}, B: {relationships: {a: {to: A, inverse: b}, c: {to: C, inverse: b, deleteRule: cascade}}}, C: {relationships: {b: {to: B, inverse: c}}}}"
  ),
  Pair(
    "entities: {A: {relationships: {1️⃣b: {to: B, inverse: a, optional: false}}}, B: {relationships: {a: {to: A, inverse: b, optional: false}}}}",
    ["1️⃣ MC1309 b"],
    "entities: {A: {relationships: {b: {to: B, inverse: a, optional: false}}}, B: {relationships: {a: {to: A, inverse: b}}}}"
  ),
  Pair(
    "entities: {A: {relationships: {friends: {toMany: A, inverse: 1️⃣friends}}}}", ["1️⃣ MC1310 friends"],
    "entities: {A: {relationships: {friends: {toMany: A, inverse: friendOf}, friendOf: {toMany: A, inverse: friends}, spouse: {to: A, inverse: spouse}}}}"
  ),
  Pair(
    "entities: {A: {relationships: {b: {to: B, inverse: a, deleteRule: 1️⃣deny}}}, B: {relationships: {a: {to: A, inverse: b, deleteRule: deny}}}}",
    ["1️⃣ MC1312 deny"],
    "entities: {A: {relationships: {b: {to: B, inverse: a, deleteRule: deny}}}, B: {relationships: {a: {to: A, inverse: b}}}}"
  ),
  Pair(
    "entities: {A: {relationships: {b: {to: B, inverse: 1️⃣a}}}, B: {relationships: {a: {toMany: A}}}}"
      .replacingOccurrences(of: "{a: {toMany: A}}", with: "{2️⃣a: {toMany: A}}"),
    ["1️⃣ MC1302 a", "2️⃣ MC1301 a"],
    "entities: {A: {relationships: {b: {to: B, inverse: a}}}, B: {relationships: {a: {toMany: A, inverse: b}}}}"
  ),
  Pair(
    "entities:\n  A:\n    relationships:\n      1️⃣b: {to: B}   # where it belongs\n  B:   # empty\n  C: {}\n",
    ["1️⃣ MC1301 b"],
    "entities:\n  A:\n    relationships:\n      b: {to: B, inverse: as}\n  B:\n    relationships:\n      as: {toMany: A, inverse: b}\n  C: {}\n"
  ),
]
