import Foundation

/// Constraints, indexes, configurations, localization: MC14, MC15, MC17.
let indexPairs: [Pair] = [
  Pair(
    "entities: {A: {attributes: {n: string, t: {type: string, transient: true}}, relationships: {a: {toMany: A, inverse: b}, b: {to: A, inverse: a}}, uniquenessConstraints: [[n, 1️⃣x], [2️⃣t], [3️⃣a]]}}",
    ["1️⃣ MC1401 x", "2️⃣ MC1401 t", "3️⃣ MC1401 a"],
    "entities: {P: {attributes: {n: string, c: {type: composite, composite: C}}}, A: {parent: P, relationships: {a: {to: A, inverse: a}}, uniquenessConstraints: [[n, a], [c.x]]}}\ncomposites: {C: {x: string}}"
  ),
  Pair(
    "entities: {A: {attributes: {n: string, m: string}, uniquenessConstraints: [[n, m], [m, n], [n]]}}"
      .markingConstraints, ["1️⃣ MC1402 [n, m]", "2️⃣ MC1402 [m, n]"],
    "entities: {A: {attributes: {n: string, m: string, o: string}, uniquenessConstraints: [[n, m], [n, o]]}}"
  ),
  Pair(
    "entities: {A: {attributes: {n: string}, relationships: {a: {toMany: A, inverse: b}, b: {to: A, inverse: a}}, fetchIndexes: {i: [1️⃣x], j: [2️⃣a], k: [3️⃣{property: n, kind: rtree}]}, compoundIndexes: [[n, 4️⃣y]]}}",
    ["1️⃣ MC1501 x", "2️⃣ MC1501 a", "3️⃣ MC1502 {property: n, kind: rtree}", "4️⃣ MC1501 y"],
    "entities: {A: {attributes: {n: double}, relationships: {a: {to: A, inverse: a}}, fetchIndexes: {i: [n], j: [a], k: [{property: n, kind: rtree}], l: [{expression: n + 1}], m: [entity, n]}, compoundIndexes: [[n, entity]]}}"
  ),
  Pair(
    "entities: {E: {}}\nfetchRequests: {f: {entity: 1️⃣F}}", ["1️⃣ MC1601 F"],
    "entities: {E: {}}\nfetchRequests: {f: {entity: E}}"),
  Pair(
    "entities: {P: {}, C: {parent: P}}\nconfigurations: {A: [P, 1️⃣X], 2️⃣B: [C]}",
    ["1️⃣ MC1701 X", "2️⃣ MC1701 B"], "entities: {P: {}, C: {parent: P}}\nconfigurations: {A: [P], B: [C, P]}"),
  Pair(
    "entities: {A: {attributes: {n: string?, m: string}, uniquenessConstraints: [1️⃣[m, n]]}}",
    ["1️⃣ MC1403 [m, n]"],
    "entities: {A: {attributes: {n: string, m: string}, uniquenessConstraints: [[m, n]]}}"),
  Pair(
    "entities: {A: {attributes: {c: {type: composite, composite: C}}, uniquenessConstraints: [1️⃣[c.x]]}}\ncomposites: {C: {x: string?, y: string}}",
    ["1️⃣ MC1403 [c.x]"],
    "entities: {A: {attributes: {c: {type: composite, composite: C}}, uniquenessConstraints: [[c.y]]}}\ncomposites: {C: {x: string?, y: string}}"
  ),
  Pair(
    "entities: {P: {attributes: {n: string}}, A: {parent: P, uniquenessConstraints: [1️⃣[n]]}}",
    ["1️⃣ MC1404 [n]"],
    "entities: {P: {attributes: {n: string}, uniquenessConstraints: [[n]]}, A: {parent: P, attributes: {m: string}, uniquenessConstraints: [[m], [n, m]]}}"
  ),
  Pair(
    "entities: {A: {attributes: {n: string?, m: string?}, fetchIndexes: {1️⃣i: [n], j: [n, m], 2️⃣k: [n desc, m desc], 3️⃣l: [n, m]}}}",
    ["1️⃣ MC1503 i", "2️⃣ MC1503 k", "3️⃣ MC1503 l"],
    "entities: {A: {attributes: {n: string?, m: string?}, fetchIndexes: {i: [m], j: [n, m], k: [n, m desc], p: {elements: [n], where: m == 'a'}}}}"
  ),
  Pair(
    "entities: {A: {attributes: {n: string}, uniquenessConstraints: [[n]], fetchIndexes: {1️⃣i: [n]}}}",
    ["1️⃣ MC1503 i"],
    "entities: {A: {attributes: {n: string}, uniquenessConstraints: [[n]]}}"),
  Pair(
    "entities: {A: {attributes: {d: date?, n: integer16 = 0}, relationships: {a: {to: A, inverse: a}}, fetchIndexes: {i: {elements: [n], where: '1️⃣d < now()'}, j: {elements: [d], where: '2️⃣n == $x'}, k: {elements: [d], where: '3️⃣a.n > 1'}, l: [{expression: '4️⃣random()'}]}}}",
    ["1️⃣ MC1504 d < now()", "2️⃣ MC1504 n == $x", "3️⃣ MC1504 a.n > 1", "4️⃣ MC1504 random()"],
    "entities: {A: {attributes: {d: date?, n: integer16 = 0}, fetchIndexes: {i: {elements: [n], where: 'n > 1 AND d != nil'}, l: [{expression: n + 1}]}}}"
  ),
  Pair(
    "entities: {A: {attributes: {b: {type: binary, externalStorage: true}, n: string}, uniquenessConstraints: [[n, 1️⃣b]], fetchIndexes: {i: [2️⃣b desc]}, compoundIndexes: [[n, 3️⃣b]]}}",
    ["1️⃣ MC1606 b", "2️⃣ MC1606 b desc", "3️⃣ MC1606 b"],
    "entities: {A: {attributes: {b: binary, n: string}, uniquenessConstraints: [[n, b]], fetchIndexes: {i: [b desc]}, compoundIndexes: [[n, b]]}}"
  ),
  Pair(
    "entities: {A: {relationships: {b: {to: 1️⃣B, inverse: a}}}, B: {relationships: {a: {to: 2️⃣A, inverse: b}}}}\nconfigurations: {One: [A], Two: [B]}",
    ["1️⃣ MC1702 B", "2️⃣ MC1702 A"],
    "entities: {A: {relationships: {b: {to: B, inverse: a}}}, B: {relationships: {a: {to: A, inverse: b}}}}\nconfigurations: {One: [A, B], Two: [B]}"
  ),
  Pair(
    "entities: {Hut: {attributes: {name: string?}}}\nlocalization: {1️⃣Entity/Hat: Hütte, 2️⃣Property/nmae: Name, 3️⃣Property/beds/Entity/Hut: Betten, 4️⃣Hut: x}",
    ["1️⃣ MC1703 Entity/Hat", "2️⃣ MC1703 Property/nmae", "3️⃣ MC1703 Property/beds/Entity/Hut", "4️⃣ MC1703 Hut"],
    "entities: {Hut: {attributes: {name: string?}}}\nlocalization: {Entity/Hut: Hütte, Property/name: Name, Property/name/Entity/Hut: Name, ErrorString/a/b: x}"
  ),
  Pair(
    "entities: {P: {}, C: {parent: P}}\nconfigurations: {1️⃣B:   [C]}", ["1️⃣ MC1701 B"],
    "entities: {P: {}, C: {parent: P}}\nconfigurations: {B: [C, P]}"),
]

extension String {
  fileprivate var markingConstraints: String {
    replacingOccurrences(of: "[[n, m], [m, n]", with: "[1️⃣[n, m], 2️⃣[m, n]")
  }
}
