import ManagedModel
import SwiftDataModels
import Testing

@Suite("What SwiftData cannot express")
struct InexpressibleFactTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var yaml: String
    /// What a finding says, without "SwiftData cannot express".
    var what: String
    /// The entities whose version hash changes.
    var changed: [String] = []

    var testDescription: String { what }
  }

  private static func hut(_ attributes: String, _ rest: String = "") -> String {
    "entities: {Hut: {attributes: {\(attributes)}\(rest)}}"
  }

  static let cases: [Case] = [
    Case(
      yaml: """
        entities:
          A: {relationships: {bs: {toMany: B, inverse: a, ordered: true}}}
          B: {relationships: {a: {to: A, inverse: bs}}}
        """, what: "that 'A.bs' is ordered", changed: ["A"]),
    Case(
      yaml: "entities: {A: {abstract: true}, B: {parent: A}, C: {}}", what: "that 'A' is abstract",
      changed: ["A", "B"]),
    Case(yaml: "entities: {A: {renamingIdentifier: Old}}", what: "that 'A' was 'Old'"),
    Case(
      yaml: "entities: {A: {versionHashModifier: x}}", what: "the hash modifier of 'A'", changed: ["A"]),
    Case(yaml: "entities: {A: {class: Other}}", what: "that the class of 'A' is 'Other'"),
    Case(yaml: "entities: {A: {userInfo: {a: b}}}", what: "the user info of 'A'"),
    Case(
      yaml: """
        entities:
          A:
            attributes: {count: {type: integer64?, derivation: bs.@count}}
            relationships: {bs: {toMany: B, inverse: a}}
          B: {relationships: {a: {to: A, inverse: bs}}}
        """, what: "that 'A.count' is derived from 'bs.@count'", changed: ["A"]),
    Case(yaml: hut("beds: {type: integer16, min: 1}"), what: "what values of 'Hut.beds' are valid"),
    Case(yaml: hut("color: transformable?"), what: "that 'Hut.color' has the default transformer"),
    Case(
      yaml: hut("owner: {type: objectID?, transient: true}"), what: "'Hut.owner', which is of type objectID"),
    Case(
      yaml: hut("name: string", ", fetchIndexes: {byName: [{property: name, ascending: false}]}"),
      what: "all of the index 'byName' of 'Hut'"),
    Case(
      yaml: hut("name: string", ", fetchIndexes: {byName: {elements: [name], where: name != 'a'}}"),
      what: "all of the index 'byName' of 'Hut'"),
    Case(
      yaml: hut("name: string") + "\nfetchRequests: {all: {entity: Hut}}", what: "the fetch requests all"),
    Case(
      yaml: hut("name: string") + "\nconfigurations: {Local: [Hut]}", what: "the configurations Local"),
    Case(
      yaml: """
        composites: {Size: {width: {type: double, renamingIdentifier: w}, height: double}}
        entities: {Hut: {attributes: {size: {type: composite, composite: Size}}}}
        """, what: "all settings of 'Size.width'"),
    Case(
      yaml: """
        entities:
          A: {relationships: {b: {to: B}}}
          B: {relationships: {a: {to: A}}}
        """, what: "that 'A.b' has no inverse", changed: ["A"]),
  ]

  @Test(arguments: cases) func `is named with its effect`(_ one: Case) throws {
    let version = try #require(try model(one.yaml).currentVersion)
    let findings = version.checkSwiftDataWording()
    let finding = try #require(
      findings.first { $0.message == "SwiftData cannot express \(one.what)" }, "\(findings.map(\.message))")
    #expect(finding.code.description == "MC2620" && finding.severity == .warning)
    #expect(finding.place != nil && finding.subject?.version == "V1")
    let names = one.changed.map { "'\($0)'" }.joined(separator: ", ")
    let effect =
      switch one.changed.count {
      case 0: "it changes no version hash"
      case 1: "it changes the version hash of \(names): existing stores do not match"
      default: "it changes the version hashes of \(names): existing stores do not match"
      }
    #expect(finding.notes.last?.message == effect)
    // Without it there is nothing more to say.
    let reduced = ModelVersion(name: "V1", model: version.model.expressible)
    #expect(reduced.checkSwiftDataWording().map(\.message) == [])
  }

  @Test func `a relationship that is its own inverse keeps its hash`() throws {
    let yaml = "entities: {A: {relationships: {friends: {toMany: A, inverse: friends}}}}"
    let version = try #require(try model(yaml).currentVersion)
    #expect(
      version.checkSwiftDataWording().map(\.message) == [
        "SwiftData cannot express that 'A.friends' is its own inverse"
      ])
    #expect(version.model.expressible.versionChecksum == version.versionChecksum)
  }

  @Test func `a name that no stored property has becomes the original one of another`() throws {
    let yaml = Self.hut("hash: string?", ", uniquenessConstraints: [[hash]]")
    var version = try #require(try model(yaml).currentVersion)
    let finding = try #require(version.checkSwiftDataWording().first)
    #expect(finding.message == "SwiftData cannot express 'Hut.hash' under its name")
    version = ModelVersion(name: "V1", model: version.model.expressible)
    let hut = try #require(version.model.entities.first)
    #expect(hut.attributes.map(\.name) == ["hash_"] && hut.attributes.map(\.renamingIdentifier) == ["hash"])
    #expect(hut.uniquenessConstraints == [["hash_"]])
  }

  @Test func `versions that differ in such a fact alone would be one`() throws {
    let versions = try model(
      "entities: {A: {abstract: true}, B: {parent: A}}", "entities: {A: {}, B: {parent: A}}")
    let found = versions.swiftDataSource().diagnostics.map(\.message)
    #expect(found.contains("SwiftData cannot express the difference between 'V2' and 'V1'"))
  }
}
