import Foundation
import ManagedModel
import ModelFormats
import Testing

@Suite struct LanguageErrorTests {
  @Test(arguments: [
    ("1️⃣entitys: {}", ["1️⃣ MC0003 entitys", "1️⃣ MC0005 entitys: {}"]),
    ("identifiers: [a]\nentities:\n  E:\n    1️⃣abstrakt: true", ["1️⃣ MC0003 abstrakt"]),
    ("entities: {E: {1️⃣parentEntity: P}}", ["1️⃣ MC0003 parentEntity"]),
    ("entities: 1️⃣[E]", ["1️⃣ MC0004 [E]"]),
    ("entities: {E: 1️⃣text}", ["1️⃣ MC0004 text"]),
    ("entities: {E: {abstract: 1️⃣YES}}", ["1️⃣ MC0004 YES"]),
    ("entities: {E: {parent: 1️⃣[P]}}", ["1️⃣ MC0004 [P]"]),
    ("entities: {E: {parent: 1️⃣}}", ["1️⃣ MC0004"]),
    ("entities: {E: {uniquenessConstraints: [1️⃣name]}}", ["1️⃣ MC0004 name"]),
    ("entities: {E: {userInfo: {a: 1️⃣[b]}}}", ["1️⃣ MC0004 [b]"]),
    ("entities: {E: {attributes: {a: {type: string, minLength: 1️⃣three}}}}", ["1️⃣ MC0004 three"]),
    ("entities: {E: {attributes: {a: {type: string, minLength: 1️⃣9999999999}}}}", ["1️⃣ MC0004 9999999999"]),
    ("entities: {E: {attributes: {a: 1️⃣[string]}}}", ["1️⃣ MC0004 [string]"]),
    ("entities: {E: {attributes: {a: 1️⃣strng}}}", ["1️⃣ MC1201 strng"]),
    ("entities: {E: {attributes: {a: {type: 1️⃣int16?}}}}", ["1️⃣ MC1201 int16"]),
    ("entities: {E: {attributes: {a: 1️⃣}}}", ["1️⃣ MC1201"]),
    ("entities: {E: {attributes: {a: 1️⃣{transient: true}}}}", ["1️⃣ MC1201 {transient: true}"]),
    ("entities: {E: {attributes: {a: {type: 1️⃣integer16 = 0}}}}", ["1️⃣ MC1201 integer16 = 0"]),
    ("entities: {E: {attributes: {a: 1️⃣string =}}}", ["1️⃣ MC1203 string ="]),
    ("entities: {E: {attributes: {a: 1️⃣string = 'x}}}", ["1️⃣ MC1203 string = 'x"]),
    ("entities: {E: {attributes: {a: 1️⃣string = 'x'y'}}}", ["1️⃣ MC1203 string = 'x'y'"]),
    ("entities: {E: {attributes: {a: {type: string, default: 1️⃣}}}}", ["1️⃣ MC1203"]),
    ("entities: {E: {attributes: {a: {type: string, default: {archived: 1️⃣a.b}}}}}", ["1️⃣ MC0004 a.b"]),
    ("entities: {E: {attributes: {a: {type: string?, optional: 1️⃣false}}}}", ["1️⃣ MC0004 false"]),
    ("entities: {E: {relationships: {r: 1️⃣Trail}}}", ["1️⃣ MC0004 Trail"]),
    ("entities: {E: {relationships: {r: 1️⃣{inverse: x}}}}", ["1️⃣ MC0005 {inverse: x}"]),
    ("entities: {E: {relationships: {r: {to: A, toMany: 1️⃣B}}}}", ["1️⃣ MC0004 B"]),
    ("entities: {E: {relationships: {r: {to: A, max: 1️⃣2}}}}", ["1️⃣ MC1306 2"]),
    ("entities: {E: {relationships: {r: {toMany: A, max: 1️⃣1}}}}", ["1️⃣ MC1306 1"]),
    ("entities: {E: {relationships: {r: {to: A, deleteRule: 1️⃣Cascade}}}}", ["1️⃣ MC0004 Cascade"]),
    ("entities: {E: {fetchedProperties: {f: 1️⃣{predicate: x}}}}", ["1️⃣ MC0005 {predicate: x}"]),
    ("entities: {E: {fetchIndexes: {i: [1️⃣{kind: rtree}]}}}", ["1️⃣ MC0005 {kind: rtree}"]),
    ("entities: {E: {fetchIndexes: {i: [{property: a, kind: 1️⃣rtre}]}}}", ["1️⃣ MC0004 rtre"]),
    ("1️⃣identifiers: []", ["1️⃣ MC0005 identifiers: []"]),
    ("1️⃣", ["1️⃣ MC0005"]),
    ("1️⃣- a", ["1️⃣ MC0004 - a"]),
    ("format: 1️⃣2\nentities: {}", ["1️⃣ MC0010 2"]),
    ("entities: {E: {parent: &p P}, F: {parent: 1️⃣*p}}", ["1️⃣ MC0007 *p"]),
    ("entities:\n  E: {}\n  1️⃣E: {}", ["1️⃣ MC0002 E"]),
  ])
  func `a mistake is reported at its place, and nothing else is`(text: String, expected: [String]) {
    let source = MarkedSource(text)
    let reading = readModel(yaml: source.data, file: "V1.yaml")
    #expect(reading.diagnostics.map(source.describe) == expected)
    for finding in reading.diagnostics {
      #expect(finding.message.first?.isUppercase != true && !finding.message.hasSuffix("."))
    }
  }

  @Test func `all mistakes of a file come in one run, in its order`() {
    let source = MarkedSource(
      """
      identifiers: 1️⃣x
      entities:
        Hut:
          attributes:
            beds: 2️⃣intger16
            name: {type: string, 3️⃣lenght: 3}
          relationships:
            trail: 4️⃣Trail
          5️⃣colour: red
      6️⃣composite: {}
      """)
    let reading = readModel(yaml: source.data, file: "V1.yaml")
    #expect(
      reading.diagnostics.map(source.describe) == [
        "1️⃣ MC0004 x", "2️⃣ MC1201 intger16", "3️⃣ MC0003 lenght", "4️⃣ MC0004 Trail", "5️⃣ MC0003 colour",
        "6️⃣ MC0003 composite",
      ])
  }

  /// Each with whether the edit may be made unasked.
  @Test(arguments: [
    ("entities: {E: {1️⃣attribute: {a: string}}}", true), ("entities: {E: {abstract: 1️⃣yes}}", true),
    ("entities: {E: {attributes: {a: 1️⃣strng? = x}}}", true),
    ("entities: {E: {attributes: {a: {type: 1️⃣Integer 16?}}}}", true),
    ("entities: {E: {attributes: {a: 1️⃣int}}}", false),
    ("entities: {E: {attributes: {a: {type: 1️⃣string? = it's, maxLength: 9}}}}", true),
    ("entities:\n  E:\n    attributes:\n      a:\n        type: 1️⃣integer16 = 0\n        max: 9\n", true),
    ("entities: {E: {relationships: {r: {to: E, deleteRule: 1️⃣cascde}}}}", true),
    ("entities: {E: {1️⃣parentEntity: P}}", true),
    ("entities: {E: {relationships: {r: {to: A, max: 1️⃣2}}}}", true),
    ("entities: {E: {relationships: {r: {toMany: A, max: 1️⃣1}}}}", true),
    ("entities:\n  E:\n    relationships:\n      r:\n        toMany: A\n        max: 1️⃣1 # one\n", true),
    ("entities: {1️⃣NO: {}}", true), ("entities: {E: {versionHashModifier: 1️⃣2}}", true),
    ("entities: {E: {attributes: {a: {type: string, default: 1️⃣1.10}}}}", true),
    ("entities: {E: {userInfo: {v: 1️⃣on}}}", true), ("entities:\n1️⃣\tE: {}", true),
    ("entities:\n1️⃣\tE:\n\t\tattributes: {}\n", true), ("entities:\n  F: {}\n1️⃣\tE: {}", false),
    ("identifiers: 1️⃣a b\nentities: {}", true), ("entities: {E: {uniquenessConstraints: [1️⃣name]}}", true),
    ("1️⃣identifiers: []", false), ("1️⃣", false), ("1️⃣{identifiers: []}", false),
    ("entities:\n  E: {}\n  1️⃣E: {}", true), ("entities:\n  E: {}\n  1️⃣E: {parent: F}\n  F: {}\n", false),
    ("entities: {E: {parent: F, 1️⃣parent: F}, F: {}}", true),
    ("entities:\n  E: {class: {name: A, module: B, 1️⃣name: A}}\n", true),
  ])
  func `the edits that a finding offers mend it`(text: String, isSafe: Bool) throws {
    let source = MarkedSource(text)
    let finding = try #require(readModel(yaml: source.data, file: "V1.yaml").diagnostics.first)
    #expect(source.describe(finding).hasPrefix("1️⃣"))
    let fixIts = readModel(yaml: source.data, file: "V1.yaml").diagnostics.map(\.fixIts)
    #expect(fixIts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isSafe == isSafe } })
    let (fixed, applied) = applyFixIts(fixIts, to: source.data)
    #expect(applied.count == fixIts.count)
    #expect(
      readModel(yaml: fixed, file: "V1.yaml").diagnostics == [], "\(String(decoding: fixed, as: UTF8.self))"
    )
  }

  @Test func `of two keys that may mean the same one neither is renamed`() {
    let text = "entities: {E: {attribute: {a: string}, atributes: {b: string}}}"
    let reading = readModel(yaml: Data(text.utf8), file: "V1.yaml")
    #expect(reading.diagnostics.map(\.fixIts) == [[], []])
  }

  @Test func `a text that other readers misread is a warning, and stays what it is`() {
    let text =
      "identifiers: [1.10, '1.10']\nentities:\n  NO:\n    attributes: {on: string = NO, n: decimal = 1.10}\n"
    let reading = readModel(yaml: Data(text.utf8), file: "V1.yaml")
    #expect(reading.diagnostics.map(\.code.description) == ["MC0006", "MC0006", "MC0006"])
    #expect(!reading.diagnostics.hasErrors)
    #expect(reading.model?.versionIdentifiers == ["1.10", "1.10"])
    #expect(reading.model?.entities.map(\.name) == ["NO"])
    #expect(reading.model?.entities.first?.attributes.map(\.defaultValue) == ["NO", "1.10"])
  }
}
