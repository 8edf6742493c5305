import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ManagedModel
@testable import ModelFormats

/// What editors will say, by an independent judge.
@Suite(.needsJSONSchemaJudge) struct JudgedSchemaTests {
  private func model(_ yaml: String) -> SchemaJudge.Case { .init(schema: .version, yaml: yaml) }

  @Test func `every sample file fits, and names its schema in its first line`() throws {
    let folder = JSONSchemaTests.models.appending(path: "Trails")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".yaml")
    }
    #expect(names.count >= 4)
    let cases = try names.sorted().map { name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let schema = name == "versions.yaml" ? LanguageFileKind.versionList : .version
      #expect(text.hasPrefix(schemaComment(path: "../Schemas/\(schema.rawValue)") + "\n"), "\(name)")
      return SchemaJudge.Case(schema: schema, yaml: text)
    }
    for (name, errors) in zip(names.sorted(), try SchemaJudge.judge(cases)) {
      #expect(errors == [], "\(name)")
    }
  }

  @Test(.needsFixtures) func `every genuine model fits in the model language`() throws {
    let urls = Fixtures.all(withExtension: "xcdatamodel")
    let cases = try urls.map { url in
      model(writeModel(try #require(readXcodeModelPackage(at: url).model?.versions.first?.model)))
    }
    for (url, errors) in zip(urls, try SchemaJudge.judge(cases)) { #expect(errors == [], "\(url.path)") }
    let packages = Fixtures.all(withExtension: "xcdatamodeld")
    let lists = try packages.map { url in
      SchemaJudge.Case(
        schema: .versionList,
        yaml: writeVersions(try #require(readXcodeModelPackage(at: url).model)))
    }
    for (url, errors) in zip(packages, try SchemaJudge.judge(lists)) { #expect(errors == [], "\(url.path)") }
  }

  @Test func `what the compiler refuses in a line, the schema refuses too`() throws {
    let cases = badModels.map { model($0) }
    for (text, errors) in zip(badModels, try SchemaJudge.judge(cases)) {
      #expect(!errors.isEmpty, "\(text)")
      let reading = readModel(yaml: Data(text.utf8), file: "V1.yaml")
      let findings = reading.diagnostics + (reading.model.map { checkModel($0) } ?? [])
      #expect(!findings.isEmpty, "\(text)")
    }
  }

  @Test func `what the compiler takes, the schema takes too`() throws {
    for (text, errors) in zip(goodModels, try SchemaJudge.judge(goodModels.map(model))) {
      #expect(errors == [], "\(text)")
      #expect(readModel(yaml: Data(text.utf8), file: "V1.yaml").diagnostics == [], "\(text)")
    }
  }

  @Test func `lists of versions and mapping models are judged too`() throws {
    let good: [(LanguageFileKind, String)] = [
      (.versionList, "current: V1\nversions: [V1, {name: V2, from: V1}]\n"),
      (.mapping, mappingSample),
      (.mapping, "- {from: V1, to: V2}\n- {from: V1, to: V2, inferred: false}\n"),
      (
        .mapping,
        "from: V1\nto: V2\nentityMappings: {A: {attributes: {a: , b: {expression: $source.c, userInfo: {k: v}}}}}\n"
      ),
      (
        .versionList,
        "current: V1\nversions: [V1, V2]\nstages: [{lightweight: [V1]}, {custom: [V1, V2], willMigrate: H, label: x}]\n"
      ),
    ]
    let bad: [(LanguageFileKind, String)] = [
      (.versionList, "current: V1\n"), (.versionList, "curent: V1\nversions: [V1]\n"),
      (.versionList, "current: V1\nversions: V1\n"),
      (.versionList, "versions: [{from: V1}]\n"),
      (.versionList, "current: V1\nversions: [V1]\nstages: [{label: x}]\n"),
      (.versionList, "current: V1\nversions: [V1]\nstages: [{lightweight: V1}]\n"),
      (.versionList, "current: V1\nversions: [V1]\nstages: [{custom: [V1], lightweight: [V1]}]\n"),
      (.versionList, "current: 1.10\nversions: ['1.10']\n"),
      (.mapping, "from: V1\n"), (.mapping, "- {from: V1}\n"),
      (.mapping, mappingSample + "where: x\n"),
      (.mapping, mappingSample.replacing("policy:", with: "plicy:")),
      (.mapping, "from: V1\nto: V2\nentityMappings: {A: {onDrop: nulify}}\n"),
      (.mapping, "from: V1\nto: V2\nentityMappings: {A: {attributes: [a]}}\n"),
    ]
    let cases = (good + bad).map { SchemaJudge.Case(schema: $0.0, yaml: $0.1) }
    for (index, errors) in try SchemaJudge.judge(cases).enumerated() {
      #expect(errors.isEmpty == (index < good.count), "\(cases[index].yaml) \(errors)")
    }
  }

  @Test func `a version that extends another one states only some keys`() throws {
    let good = [
      "extends: V1\n", "extends: V1\nremove: [Hut.fax, composites.Position]\n",
      "extends: V1\nentities: {Hut: {attributes: {beds: {default: 4}, stars: integer16 = 0}, remove: [fax]}}\n",
      "extends: V1\nentities: {Hut: {relationships: {trail: {inverse: huts, remove: [min]}}, class: {module: M}}}\n",
      "extends: V1\nentities: {Hut: {fetchIndexes: {i: {where: a > 0}}}}\nfetchRequests: {R: {limit: 3}}\n",
    ]
    let bad = [
      "extends: [V1]\n", "extends: V1\nremove: Hut\n", "extends: V1\nentitys: {}\n",
      "extends: V1\nentities: {Hut: {attributes: {beds: {defualt: 4}}}}\n",
      "extends: V1\nentities: {Hut: {attributes: {beds: intger16}}}\n",
      "entities: {Hut: {remove: [fax]}}\n", "entities: {}\nremove: [Hut]\n",
    ]
    for (index, errors) in try SchemaJudge.judge((good + bad).map(model)).enumerated() {
      #expect(errors.isEmpty == (index < good.count), "\((good + bad)[index]) \(errors)")
    }
  }

  /// Every type with every key that only some types have: the schema and the checks say the same.
  @Test func `keys of a type are judged as the checks judge them`() throws {
    let keys = [
      ("min", "1"), ("max", "2"), ("minLength", "1"), ("maxLength", "2"), ("matching", "'a'"),
      ("externalStorage", "true"), ("externalStorage", "false"),
    ]
    let codes: Set = ["MC1207", "MC1209"]
    var cases: [SchemaJudge.Case] = []
    var refused: [Bool] = []
    for type in AttributeType.allCases {
      for (key, value) in keys {
        let extra = type == .composite ? ", composite: C" : type == .undefined ? ", transient: true" : ""
        let text = """
          entities: {E: {attributes: {a: {type: \(type.name)?, \(key): \(value)\(extra)}}}}
          composites: {C: {x: string}}

          """
        let reading = readModel(yaml: Data(text.utf8), file: "V1.yaml")
        #expect(reading.diagnostics == [])
        let findings = try checkModel(#require(reading.model)).map(\.code.description)
        refused.append(!codes.isDisjoint(with: findings))
        cases.append(model(text))
      }
    }
    #expect(refused.count(where: { $0 }) > 50)
    for (index, errors) in try SchemaJudge.judge(cases).enumerated() {
      #expect(errors.isEmpty != refused[index], "\(cases[index].yaml) \(errors)")
    }
  }

  /// The schema never refuses a default that is a value, and it refuses what is plainly none.
  @Test func `defaults are judged by their type, in both forms`() throws {
    let texts = [
      "0", "1", "-1", "+7", "0.0", "1.10", ".5", "5.", "1e3", "32768", "3000000000", "YES", "no", "True",
      "false",
      "abc", "2024-05-01", "2024-05-01T00:00:00Z", "AAAA", "http://x.org/a", "1 2", "0x1F",
      "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    ]
    let plain: [AttributeType] = [.boolean, .uuid] + AttributeType.allCases.filter(\.isNumeric)
    var cases: [(yaml: String, isValue: Bool, isJudged: Bool)] = []
    for type in AttributeType.allCases where type != .undefined && type != .objectID && type != .composite {
      for text in texts {
        let isValue = AttributeValue(parsing: text, as: type) != nil
        let isNumber = text.wholeMatch(of: #/[+-]?(\d+\.?\d*|\.\d+)(e\d+)?/#) != nil
        // Ranges are not a matter of form; a fraction is not told from an integer in the short form.
        let isJudged = plain.contains(type) && !(type.isNumeric && isNumber)
        let quoted = "'\(text)'"
        for written in ["\(type.name) = \(text)", "{type: \(type.name), default: \(quoted)}"] {
          cases.append((written, isValue, isJudged))
        }
        // YAML sees numbers and Booleans in some; those must be allowed as well.
        if isValue, text != "no" { cases.append(("{type: \(type.name), default: \(text)}", true, false)) }
      }
    }
    let answers = try SchemaJudge.judge(cases.map { model("entities: {E: {attributes: {a: \($0.yaml)}}}\n") })
    for (entry, errors) in zip(cases, answers) {
      if entry.isValue { #expect(errors == [], "\(entry.yaml)") }
      if !entry.isValue, entry.isJudged { #expect(!errors.isEmpty, "\(entry.yaml)") }
    }
  }
}

private let badModels =
  // Unknown keys, at every level.
  [
    "entitys: {}", "entities: {}\ncomposite: {}", "entities: {E: {abstrakt: true}}",
    "entities: {E: {attributes: {a: {type: string, lenght: 3}}}}",
    "entities: {E: {relationships: {r: {to: E, deletRule: deny}}}}",
    "entities: {E: {fetchedProperties: {f: {entity: E, where: x}}}}",
    "entities: {E: {fetchIndexes: {i: {elements: [a], were: x}}}}",
    "entities: {E: {fetchIndexes: {i: [{property: a, order: desc}]}}}",
    "entities: {E: {class: {nam: E}}}", "entities: {}\neditor: {tools: x}",
    "entities: {}\nfetchRequests: {R: {entity: E, lmit: 3}}",
    "entities: {E: {attributes: {a: {type: string, rules: [{predicat: x}]}}}}",
  ]
  // Values of the wrong kind.
  + [
    "entities: [E]", "entities: {E: text}", "entities: {E: {abstract: 'YES'}}",
    "entities: {E: {parent: [P]}}",
    "entities: {E: {parent: }}", "entities: {E: {class: }}", "entities: {E: {uniquenessConstraints: [name]}}",
    "entities: {E: {userInfo: {a: [b]}}}", "entities: {E: {userInfo: text}}", "identifiers: x\nentities: {}",
    "entities: {E: {attributes: {a: {type: string, minLength: three}}}}",
    "entities: {E: {attributes: {a: {type: string, minLength: 9999999999}}}}",
    "entities: {E: {attributes: {a: {type: integer16, min: [1]}}}}",
    "entities: {E: {attributes: {a: {type: string, scalar: 1}}}}",
    "entities: {E: {attributes: [a]}}", "entities: {E: {relationships: {r: Trail}}}",
    "entities: {E: {relationships: {r: {to: E, max: many}}}}", "entities: {}\nconfigurations: {L: E}",
    "entities: {E: {versionHashModifier: 2}}", "format: 2\nentities: {}", "- a", "",
  ]
  // Types and defaults.
  + [
    "entities: {E: {attributes: {a: strng}}}", "entities: {E: {attributes: {a: {type: 'int16?'}}}}",
    "entities: {E: {attributes: {a: }}}", "entities: {E: {attributes: {a: {transient: true}}}}",
    "entities: {E: {attributes: {a: {type: integer16 = 0}}}}", "entities: {E: {attributes: {a: 'string ='}}}",
    "entities: {E: {attributes: {a: \"string = 'x\"}}}",
    "entities: {E: {attributes: {a: \"string = 'x'y'\"}}}",
    "entities: {E: {attributes: {a: [string]}}}", "entities: {E: {attributes: {a: string, b: int}}}",
    "entities: {E: {attributes: {a: integer16 = many}}}", "entities: {E: {attributes: {a: boolean = maybe}}}",
    "entities: {E: {attributes: {a: {type: integer16, default: 40000}}}}",
    "entities: {E: {attributes: {a: {type: boolean, default: 7}}}}",
    "entities: {E: {attributes: {a: {type: integer32, default: 1.5}}}}",
    "entities: {E: {attributes: {a: {type: string, default: }}}}",
    "entities: {E: {attributes: {a: {type: transformable, default: {archived: a.b}}}}}",
    "entities: {E: {attributes: {a: uuid = 12}}}", "entities: {E: {attributes: {a: objectID = 1}}}",
    "entities: {}\ncomposites: {C: {x: strng}}",
  ]
  // Words, and keys that go together.
  + [
    "entities: {E: {relationships: {r: {to: E, deleteRule: Cascade}}}}",
    "entities: {E: {relationships: {r: {to: E, deleteRule: casade}}}}",
    "entities: {E: {relationships: {r: {inverse: x}}}}",
    "entities: {E: {relationships: {r: {to: A, toMany: B}}}}",
    "entities: {E: {relationships: {r: }}}", "entities: {E: {fetchedProperties: {f: {predicate: x}}}}",
    "entities: {E: {fetchIndexes: {i: [{kind: rtree}]}}}", "entities: {E: {fetchIndexes: {i: {where: x}}}}",
    "entities: {E: {fetchIndexes: {i: [{property: a, kind: rtre}]}}}",
    "entities: {E: {fetchIndexes: {i: [{property: a, expression: b}]}}}",
    "entities: {E: {class: {name: E, codeGeneration: classes}}}",
    "entities: {}\nfetchRequests: {R: {entity: E, resultType: object}}", "identifiers: []",
    "entities: {E: {attributes: {a: {type: integer16, minLength: 3}}}}",
    "entities: {E: {attributes: {a: {type: string, externalStorage: true}}}}",
  ]
  // Names.
  + [
    "entities: {'my entity': {}}", "entities: {1st: {}}", "entities: {E: {attributes: {a-b: string}}}",
    "entities: {E: {relationships: {'': {to: E}}}}",
  ]

private let goodModels = [
  "format: 1\nentities: {}\n", "entities:\n", "entities: {E: , F: {}}\n",
  "entities:\n  E:\n    attributes:\n    relationships:\n    fetchIndexes: {i: }\n    userInfo:\n",
  "entities: {E: {attributes: {a: 'string ?', b: 'string  =  x y', c: \"string = ''\", d: string? = 'x'}}}\n",
  "entities: {E: {attributes: {a: \"integer16 = '0'\", b: integer16 = 0.0, c: {type: integer16, default: 0.0}}}}\n",
  "entities: {E: {attributes: {a: {type: boolean, default: true}, b: boolean = YES, c: {type: boolean, default: 1}}}}\n",
  "entities: {E: {attributes: {a: {type: decimal, default: 1.10, min: 1, max: 2.5}}}}\n",
  "entities: {E: {attributes: {a: {type: date, default: 2024-05-01T00:00:00Z, min: 2000-01-01}}}}\n",
  "entities: {E: {attributes: {a: {type: transformable?, default: {archived: AAAA}}}}}\n",
  "entities: {E: {attributes: {a: {type: binary?, externalStorage: true}, b: {type: string, externalStorage: false}}}}\n",
  "entities: {E: {class: {name: E, module: M, codeGeneration: class}}, F: {class: F}}\n",
  "entities: {E: {fetchIndexes: {i: [a desc, {property: b, kind: rtree}, {expression: 'a + b', ascending: false}]}}}\n",
  "entities: {E: {relationships: {r: {toMany: E, inverse: r, min: 0, max: 10, ordered: true, deleteRule: noAction}}}}\n",
  "entities: {}\nfetchRequests: {R: {entity: E, sort: [a desc, {key: b, ascending: false}], resultType: 6}}\n",
  "entities: {größe: {attributes: {数: string}}}\n",
]

private let mappingSample = """
  from: V2
  to: V3
  entityMappings:
    CountryToCountry:
      source: Country
      destination: Country
      where: "visits.@count > 0"
      policy: CountryPolicy
      attributes:
        isoContinent: $source.continent.numericISO3166Code
        title: 'uppercase:($source.name)'
        beds: 4
      relationships:
        moods: destinationInstances("MoodToMood", $source.countries.@distinctUnionOfSets.moods)
      userInfo: {batch: "500"}

  """
