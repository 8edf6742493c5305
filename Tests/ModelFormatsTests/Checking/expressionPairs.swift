/// Predicates, sort keys and derivations: MC01, MC1211, MC1212, MC16.
let expressionPairs: [Pair] = [
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'beds ==1️⃣'}}", ["1️⃣ MC0101"],
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'beds == 1'}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'name 1️⃣LYKE \"a\"'}}", ["1️⃣ MC0102 LYKE"],
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'name LIKE \"a\"'}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'name == 1️⃣%@'}}", ["1️⃣ MC0103 %@"],
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'name == $name'}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, predicate: '1️⃣sqrt:(beds, 2) > 1'}}",
    ["1️⃣ MC0104 sqrt:"],
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'sqrt:(beds) > 1'}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, predicate: '1️⃣bedz > 1'}}", ["1️⃣ MC1601 bedz > 1"],
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'beds > 1'}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, predicate: 1️⃣visits.note == $n}}",
    ["1️⃣ MC1602 visits.note == $n"],
    trails + "fetchRequests: {f: {entity: Hut, predicate: ANY visits.note == $n}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, predicate: '1️⃣old == nil'}}", ["1️⃣ MC1603 old == nil"],
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'name == nil'}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, predicate: '1️⃣name != $n'}}", ["1️⃣ MC1604 name != $n"],
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'name != $n OR name == nil'}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, predicate: '1️⃣name == 2'}}", ["1️⃣ MC1605 name == 2"],
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'name == $n'}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, predicate: '1️⃣photo == $p'}}", ["1️⃣ MC1606 photo == $p"],
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'photo != nil'}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, predicate: '1️⃣name MATCHES \"(\"'}}",
    ["1️⃣ MC1113 name MATCHES \"(\""],
    trails + "fetchRequests: {f: {entity: Hut, predicate: 'name MATCHES \"(a)\"'}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, sort: [1️⃣nme desc]}}", ["1️⃣ MC1601 nme desc"],
    trails + "fetchRequests: {f: {entity: Hut, sort: [name desc]}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, sort: [1️⃣visits]}}", ["1️⃣ MC1602 visits"],
    trails + "fetchRequests: {f: {entity: Hut, sort: [name]}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, sort: [1️⃣old]}}", ["1️⃣ MC1603 old"],
    trails + "fetchRequests: {f: {entity: Hut, sort: [beds]}}"),
  Pair(
    trails + "fetchRequests: {f: {entity: Hut, sort: [1️⃣photo]}}", ["1️⃣ MC1606 photo"],
    trails + "fetchRequests: {f: {entity: Hut, sort: [beds]}}"),
  Pair(
    "entities: {E: {}}\nfetchRequests: {f: {entity: 1️⃣F, predicate: 'a ==2️⃣'}}", ["1️⃣ MC1601 F", "2️⃣ MC0101"],
    "entities: {E: {attributes: {a: string?}}}\nfetchRequests: {f: {entity: E, predicate: 'a == $x'}}"),
  Pair(
    "entities: {E: {attributes: {a: string?}, fetchedProperties: {f: {entity: E, predicate: '1️⃣a == $FETCH_SOURCE.b'}}}}",
    ["1️⃣ MC1601 a == $FETCH_SOURCE.b"],
    "entities: {E: {attributes: {a: string?}, fetchedProperties: {f: {entity: E, predicate: 'a == $FETCH_SOURCE.a'}}}}"
  ),
  Pair(
    "entities: {E: {attributes: {a: {type: string?, rules: [{predicate: 'length >1️⃣'}]}}}}", ["1️⃣ MC0101"],
    "entities: {E: {attributes: {a: {type: string?, rules: [{predicate: 'length > 1'}]}}}}"),
  Pair(
    "entities: {E: {attributes: {n: string?, m: integer16 = 0, a: {type: string, derivation: 1️⃣n + m}, b: {type: string, derivation: '2️⃣canonical:(nn)'}, c: {type: string, derivation: \"uppercase:(3️⃣\"}, d: {type: string?, derivation: '4️⃣uppercase:(m)'}}}}",
    ["1️⃣ MC1211 n + m", "2️⃣ MC1212 canonical:(nn)", "3️⃣ MC0101", "4️⃣ MC1212 uppercase:(m)"],
    "entities: {E: {attributes: {n: string?, a: {type: string, derivation: n}, b: {type: string, derivation: 'canonical:(n)'}, c: {type: string, derivation: \"uppercase:(n)\"}}}}"
  ),
  Pair(
    "entities: {E: {}}\ncomposites: {C: {x: string, y: {type: string, derivation: 1️⃣x}}}", ["1️⃣ MC1211 x"],
    "entities: {E: {}}\ncomposites: {C: {x: string, y: string}}"),
  Pair(
    trails + "fetchRequests:\n  f:\n    entity: Hut\n    predicate: |\n      beds > 1\n      AND 1️⃣%K == 2\n",
    ["1️⃣ MC0103 %K"],
    trails + "fetchRequests:\n  f:\n    entity: Hut\n    predicate: |\n      beds > 1\n      AND name == $n\n"
  ),
]

private let trails =
  "entities: {Hut: {attributes: {name: string?, beds: integer16 = 0, old: {type: string?, transient: true}, photo: {type: binary?, externalStorage: true}}, relationships: {visits: {toMany: Visit, inverse: hut}}}, Visit: {attributes: {note: string?}, relationships: {hut: {to: Hut, inverse: visits}}}}\n"
