import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite struct CheckModelTests {
  private func findings(_ source: MarkedSource) throws -> [Diagnostic] {
    let reading = readModel(yaml: source.data, file: "V1.yaml")
    #expect(reading.diagnostics == [])
    let version = ModelVersion(
      name: "V1", model: try #require(reading.model), sourceMap: reading.sourceMap)
    return checkModel(of: version)
  }

  /// Each with the mended text, which has no findings.
  @Test(arguments: [
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
    Pair(
      "entities: {E: {attributes: {1️⃣a: undefined}}}", ["1️⃣ MC1202 a"],
      "entities: {E: {attributes: {a: {type: undefined, transient: true}}}}"),
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
      "entities: {A: {relationships: {a: {toMany: A, inverse: a, min: 1️⃣3, max: 2}, b: {toMany: A, inverse: b, min: 2️⃣-1}}}}",
      ["1️⃣ MC1307 3", "2️⃣ MC1307 -1"],
      "entities: {A: {relationships: {a: {toMany: A, inverse: a, min: 3}, b: {toMany: A, inverse: b, max: -1}}}}"
    ),
    Pair(
      "entities: {A: {relationships: {a: {to: A, inverse: a, ordered: 1️⃣true}}}}", ["1️⃣ MC1311 true"],
      "entities: {A: {relationships: {a: {toMany: A, inverse: a, ordered: true}}}}"),
    Pair(
      "entities: {A: {attributes: {n: string, t: {type: string, transient: true}}, relationships: {a: {toMany: A, inverse: a}}, uniquenessConstraints: [[n, 1️⃣x], [2️⃣t], [3️⃣a]]}}",
      ["1️⃣ MC1401 x", "2️⃣ MC1401 t", "3️⃣ MC1401 a"],
      "entities: {P: {attributes: {n: string, c: {type: composite, composite: C}}}, A: {parent: P, relationships: {a: {to: A, inverse: a}}, uniquenessConstraints: [[n, a], [c.x]]}}\ncomposites: {C: {x: string}}"
    ),
    Pair(
      "entities: {A: {attributes: {n: string, m: string}, uniquenessConstraints: [[n, m], [m, n], [n]]}}"
        .markingConstraints, ["1️⃣ MC1402 [n, m]", "2️⃣ MC1402 [m, n]"],
      "entities: {A: {attributes: {n: string, m: string, o: string}, uniquenessConstraints: [[n, m], [n, o]]}}"
    ),
    Pair(
      "entities: {A: {attributes: {n: string}, relationships: {a: {toMany: A, inverse: a}}, fetchIndexes: {1️⃣i: [x], 2️⃣j: [a], 3️⃣k: [{property: n, kind: rtree}]}, compoundIndexes: [4️⃣[n, y]]}}",
      ["1️⃣ MC1501 i", "2️⃣ MC1501 j", "3️⃣ MC1502 k", "4️⃣ MC1501 [n, y]"],
      "entities: {A: {attributes: {n: double}, relationships: {a: {to: A, inverse: a}}, fetchIndexes: {i: [n], j: [a], k: [{property: n, kind: rtree}], l: [{expression: x + 1}]}}}"
    ),
    Pair(
      "entities: {E: {}}\nfetchRequests: {f: {entity: 1️⃣F}}", ["1️⃣ MC1601 F"],
      "entities: {E: {}}\nfetchRequests: {f: {entity: E}}"),
    Pair(
      "entities: {P: {}, C: {parent: P}}\nconfigurations: {1️⃣A: [P, X], 2️⃣B: [C]}",
      ["1️⃣ MC1701 A", "2️⃣ MC1701 B"], "entities: {P: {}, C: {parent: P}}\nconfigurations: {A: [P], B: [C, P]}"),
  ])
  func `a broken rule is found at its place, and is silent once mended`(pair: Pair) throws {
    let source = MarkedSource(pair.broken)
    let found = try findings(source)
    #expect(found.map(source.describe) == pair.expected)
    #expect(found.allSatisfy { $0.subject?.version == "V1" })
    for finding in found {
      #expect(
        finding.message.first?.isUppercase != true && !finding.message.hasSuffix("."), "\(finding.message)")
    }
    let mended = try findings(MarkedSource(pair.mended)).filter {
      $0.severity == .error || pair.isWarning($0)
    }
    #expect(mended == [])
  }

  @Test func `duplicate entities of a model made in Swift are found`() {
    let model = ManagedObjectModel(entities: [EntityDescription(name: "A"), EntityDescription(name: "A")])
    #expect(checkModel(model).map(\.code.description) == ["MC1103"])
  }

  @Test(arguments: [
    ("MC1107", Diagnostic.Severity.warning), ("MC1301", .warning), ("MC1304", .warning), ("MC1402", .warning),
    ("MC1302", .error), ("MC1204", .error),
  ])
  func `severities are those of the catalogue`(code: String, severity: Diagnostic.Severity) throws {
    let source = MarkedSource(
      """
      entities:
        A:
          abstract: true
          attributes: {n: {type: integer16, default: 0, min: 1}, m: string}
          relationships:
            b: {to: A, deleteRule: noAction}
            c: {to: A, inverse: b}
          uniquenessConstraints: [[n], [n, m]]
      """)
    let found = try findings(source).filter { $0.code.description == code }
    #expect(found.map(\.severity) == [severity])
  }

  @Test func `an index on a to-many is a warning`() {
    let entity = EntityDescription(
      name: "A",
      relationships: [
        RelationshipDescription(name: "a", destinationEntityName: "A", inverseName: "a", maxCount: 0)
      ],
      fetchIndexes: [FetchIndexDescription(name: "i", elements: [FetchIndexElement(property: "a")])])
    let found = checkModel(ManagedObjectModel(entities: [entity]))
    #expect(found.map(\.severity) == [.warning])
  }

  @Test func `the near name is offered`() throws {
    let source = MarkedSource("entities: {Trail: {}, Hut: {relationships: {t: {to: Trial}}}}")
    #expect(try findings(source).first?.help == ["did you mean 'Trail'?"])
  }

  @Test(arguments: 0..<60)
  func `any model can be checked`(seed: UInt64) {
    var generator = ModelGenerator(seed: seed)
    let model = generator.model()
    for finding in checkModel(model) {
      #expect(finding.subject != nil)
      #expect(!finding.message.contains("\n"), "\(finding.message)")
    }
  }

  @Test(.timeLimit(.minutes(1))) func `500 entities are read and checked in no time`() throws {
    let entities = (0..<500).map { number in
      EntityDescription(
        name: "Entity\(number)", superentityName: number % 5 == 0 ? nil : "Entity\(number / 5 * 5)",
        attributes: (0..<15).map {
          AttributeDescription(name: "a\(number)_\($0)", type: .integer32, defaultValue: "0")
        },
        relationships: [
          RelationshipDescription(
            name: "next\(number)", destinationEntityName: "Entity\((number + 1) % 500)",
            inverseName: "previous\((number + 1) % 500)"),
          RelationshipDescription(
            name: "previous\(number)", destinationEntityName: "Entity\((number + 499) % 500)",
            inverseName: "next\((number + 499) % 500)"),
        ])
    }
    let model = ManagedObjectModel(entities: entities)
    let data = Data(writeModel(model).utf8)
    var reading: ModelReading?
    let readTime = ContinuousClock().measure { reading = readModel(yaml: data, file: "V1.yaml") }
    #expect(reading?.diagnostics == [])
    var found: [Diagnostic] = []
    let checkTime = ContinuousClock().measure { found = checkModel(model) }
    #expect(found == [])
    // A debug build is many times slower than a release build.
    #expect(checkTime < .seconds(2))
    #expect(readTime < .seconds(5))
  }
}

struct Pair: Sendable {
  var broken: String
  var expected: [String]
  var mended: String

  init(_ broken: String, _ expected: [String], _ mended: String) {
    self.broken = broken
    self.expected = expected
    self.mended = mended
  }

  func isWarning(_ finding: Diagnostic) -> Bool {
    expected.contains { $0.contains(finding.code.description) } && finding.severity == .warning
  }
}

extension String {
  fileprivate var markingConstraints: String {
    replacingOccurrences(of: "[[n, m], [m, n]", with: "[1️⃣[n, m], 2️⃣[m, n]")
  }
}
