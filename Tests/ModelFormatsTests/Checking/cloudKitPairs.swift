/// The CloudKit profile: MC18.
let cloudKitPairs: [Pair] = [
  Pair(
    cloudKit
      + "entities: {A: {relationships: {a: {toMany: A, inverse: b, ordered: 1️⃣true}, b: {to: A, inverse: a}}}}",
    ["1️⃣ MC1801 true"],
    cloudKit + "entities: {A: {relationships: {a: {toMany: A, inverse: b}, b: {to: A, inverse: a}}}}"),
  Pair(
    cloudKit + "entities: {A: {attributes: {1️⃣a: string, 2️⃣b: {type: integer16, min: 0}}}}",
    ["1️⃣ MC1802 a", "2️⃣ MC1802 b"],
    cloudKit
      + "entities: {A: {attributes: {a: string?, b: {type: integer16, min: 0, default: 0}, c: {type: string, transient: true}, d: {type: string, derivation: a}}}}"
  ),
  Pair(
    cloudKit
      + "entities: {A: {relationships: {a: {toMany: A, inverse: b}, b: {to: A, inverse: a, optional: 1️⃣false}}}}",
    ["1️⃣ MC1803 false"],
    cloudKit + "entities: {A: {relationships: {a: {toMany: A, inverse: b}, b: {to: A, inverse: a}}}}"),
  Pair(
    cloudKit + "entities: {A: {relationships: {1️⃣b: {to: A}}}}", ["1️⃣ MC1301 b", "1️⃣ MC1804 b"],
    cloudKit + "entities: {A: {relationships: {a: {toMany: A, inverse: b}, b: {to: A, inverse: a}}}}"),
  Pair(
    cloudKit + "entities: {A: {attributes: {n: string = x}, uniquenessConstraints: 1️⃣[[n]]}}",
    ["1️⃣ MC1805 [[n]]"],
    cloudKit + "entities: {A: {attributes: {n: string = x}}}"),
  Pair(
    cloudKit
      + "entities: {A: {relationships: {a: {toMany: A, inverse: b}, b: {to: A, inverse: a, deleteRule: 1️⃣deny}}}}",
    ["1️⃣ MC1806 deny"],
    cloudKit + "entities: {A: {relationships: {a: {toMany: A, inverse: b}, b: {to: A, inverse: a}}}}"),
  Pair(
    cloudKit + "entities: {A: {attributes: {1️⃣a: undefined?}}}", ["1️⃣ MC1202 a", "1️⃣ MC1807 a"],
    cloudKit + "entities: {A: {attributes: {a: {type: undefined?, transient: true}}}}"),
  Pair(
    cloudKit + "entities: {A: {attributes: {1️⃣a: objectID?}}}", ["1️⃣ MC1808 a"],
    cloudKit + "entities: {A: {attributes: {a: string?}}}"),
]

private let cloudKit = "profile: cloudkit\n"
