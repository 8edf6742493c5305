import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

/// Every refusal prints a mapping model that would do it: of exactly the language of mapping files, and one that
/// fits the two versions.
@Suite("Mapping models that are suggested for refusals") struct SuggestedMappingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: String
    var new: String
    var code: String
    /// What the plan would say of rows, where the models alone do not refuse: entity and property.
    var rows: (String, String?)?
    /// Lines that the file has.
    var lines: [String]
  }

  static func hut(_ attributes: String) -> String { "entities: {Hut: {attributes: {\(attributes)}}}" }
  static let people: String = """
    entities:
      Hut: {relationships: {owners: {toMany: Person, inverse: huts}}}
      Person: {relationships: {huts: {toMany: Hut, inverse: owners}}}
    """

  static let cases: [Case] = attributeCases + relationshipCases + entityCases

  static let attributeCases: [Case] = [
    Case(
      testDescription: "text to date", old: hut("opened: string?"), new: hut("opened: date?"), code: "MC3103",
      lines: ["opened: parseDate($source.opened, \"yyyy-MM-dd HH:mm:ss\")"]),
    Case(
      testDescription: "date to text", old: hut("opened: date?"), new: hut("opened: string?"), code: "MC3103",
      lines: ["opened: formatDate($source.opened, \"yyyy-MM-dd HH:mm:ss\")"]),
    Case(
      testDescription: "number to text", old: hut("beds: integer16 = 0"), new: hut("beds: string = none"),
      code: "MC3103", lines: ["beds: CAST($source.beds, \"NSString\")"]),
    Case(
      testDescription: "text to number", old: hut("beds: string?"), new: hut("beds: integer16 = 0"),
      code: "MC3103", lines: ["beds: TERNARY($source.beds == nil, 0, parseInt($source.beds))"]),
    Case(
      testDescription: "flag to number", old: hut("open: boolean?"), new: hut("open: double?"),
      code: "MC3103",
      lines: ["open: TERNARY($source.open == nil, nil, TERNARY($source.open == TRUE, 1, 0))"]),
    Case(
      testDescription: "text to bytes", old: hut("plan: string?"), new: hut("plan: binary?"), code: "MC3103",
      lines: ["policy: HutMigrationPolicy"]),
    Case(
      testDescription: "a new required text", old: hut("name: string?"),
      new: hut("name: string?, code: string"),
      code: "MC3101", rows: ("Hut", "code"), lines: ["code: \"''\""]),
    Case(
      testDescription: "a text that becomes required", old: hut("name: string?"), new: hut("name: string"),
      code: "MC3101", rows: ("Hut", "name"), lines: ["name: coalesce($source.name, '')"]),
    Case(
      testDescription: "a narrower number", old: hut("beds: integer32 = 0"), new: hut("beds: integer16 = 0"),
      code: "MC3109", rows: ("Hut", "beds"), lines: ["beds: clamp(trunc:($source.beds), -32768, 32767)"]),
    Case(
      testDescription: "external storage", old: hut("photo: binary?"),
      new: hut("photo: {type: binary?, externalStorage: true}"), code: "MC3117", rows: ("Hut", "photo"),
      lines: ["photo: $source.photo"]),
  ]

  static let relationshipCases: [Case] = [
    Case(
      testDescription: "a to-many that becomes to-one", old: people,
      new: people.replacing("owners: {toMany: Person", with: "owners: {to: Person"), code: "MC3108",
      lines: ["\"owners\", $source.owners[FIRST])"]),
    Case(
      testDescription: "another destination",
      old: """
        entities:
          Hut: {relationships: {visits: {toMany: Visit, inverse: place}}}
          Summit: {}
          Visit: {relationships: {place: {to: Hut, inverse: visits}}}
        """,
      new: """
        entities:
          Hut: {}
          Summit: {relationships: {visits: {toMany: Visit, inverse: place}}}
          Visit: {relationships: {place: {to: Summit, inverse: visits}}}
        """, code: "MC3106", rows: ("Visit", "place"),
      lines: ["HutToSummit:", "place: destinationInstances(\"HutToSummit\", $source.place)"]),
    Case(
      testDescription: "its own inverse",
      old: """
        entities:
          Hut:
            relationships:
              near: {toMany: Hut, inverse: nearOf}
              nearOf: {toMany: Hut, inverse: near}
        """, new: "entities: {Hut: {relationships: {near: {toMany: Hut, inverse: near}}}}", code: "MC3116",
      lines: ["\"near\", $source.near)"]),
    Case(
      testDescription: "a to-one that becomes required",
      old: """
        entities:
          Hut: {relationships: {visits: {toMany: Visit, inverse: hut}}}
          Visit: {relationships: {hut: {to: Hut, inverse: visits}}}
        """,
      new: """
        entities:
          Hut: {relationships: {visits: {toMany: Visit, inverse: hut}}}
          Visit: {relationships: {hut: {to: Hut, inverse: visits, optional: false}}}
        """, code: "MC3102", rows: ("Visit", "hut"), lines: ["where: hut != nil"]),
  ]

  static let entityCases: [Case] = [
    Case(
      testDescription: "two roots under one parent",
      old: "entities: {Hut: {attributes: {name: string?}}, Summit: {attributes: {name: string?}}}",
      new: """
        entities:
          Place: {abstract: true, attributes: {name: string?}}
          Hut: {parent: Place}
          Summit: {parent: Place}
        """, code: "MC3107", lines: ["HutToHut:", "SummitToSummit:"]),
    Case(
      testDescription: "an entity that becomes abstract",
      old: "entities: {Place: {attributes: {name: string?}}, Hut: {parent: Place}}",
      new: "entities: {Place: {abstract: true, attributes: {name: string?}}, Hut: {parent: Place}}",
      code: "MC3110", rows: ("Place", nil), lines: ["HutToHut:", "PlaceToHut:"]),
    Case(
      testDescription: "a new constraint", old: hut("name: string?"),
      new: "entities: {Hut: {attributes: {name: string?}, uniquenessConstraints: [[name]]}}", code: "MC3105",
      rows: ("Hut", nil), lines: ["$source.name"]),
    Case(
      testDescription: "a broken chain of renames",
      old: hut("title: {type: string?, renamingIdentifier: name}"),
      new: hut("headline: {type: string?, renamingIdentifier: title}"), code: "MC3201",
      lines: ["headline: $source.title"]),
    Case(
      testDescription: "two that stand for one", old: hut("a: string?"),
      new: hut("a: string?, b: {type: string?, renamingIdentifier: a}"), code: "MC3202", lines: ["b:"]),
  ]

  @Test(arguments: cases)
  func `it reads back, fits the versions and does what is refused`(_ pair: Case) throws {
    try withTemporaryFolder { folder in
      try writeVersions([pair.old, pair.new], into: folder)
      let (model, problems) = readVersionedModel(folder: folder)
      #expect(!problems.hasErrors, "\(problems)")
      let versions = try #require(model?.versions)
      let found = inferMappingModel(from: versions[0], to: versions[1]).diagnostics
      var refusals = found.filter { $0.code.description == pair.code && $0.severity == .error }
      if let (entity, property) = pair.rows {
        refusals.append(
          Diagnostic(
            .init(pair.code), .error, "",
            subject: ModelSubject(version: "V2", entity: entity, property: property)))
      }
      #expect(!refusals.isEmpty, "found \(found.map(\.code.description))")
      let suggestion = try #require(refusals.suggestedMapping(from: versions[0], to: versions[1]))
      let text = writeMappingFile([suggestion])
      for line in pair.lines { #expect(text.contains(line), "\(line) in \(text)") }
      let reading = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml")
      #expect(reading.diagnostics == [], "\(text)")
      #expect(reading.mappingModels == [suggestion])
      let (_, findings) = reading.mappingModels.resolved(from: versions[0], to: versions[1])
      #expect(findings.filter { $0.severity == .error }.map(\.message) == [], "\(text)")
    }
  }

  /// An object of each entity for one of the old: a relationship to both would get two for one.
  @Test(arguments: [true, false])
  func `objects are not made of two entities that another relationship leads to`(_ leadsToBoth: Bool) throws {
    let notes = ", relationships: {notes: {toMany: Note, inverse: task}}"
    try withTemporaryFolder { folder in
      try writeVersions(
        [
          """
          entities:
            Link: {relationships: {task: {to: Task, inverse: link}}}
            Note: {relationships: {task: {to: Task, inverse: notes}}}
            Task: {relationships: {link: {to: Link, inverse: task}, notes: {toMany: Note, inverse: task}}}
          """,
          """
          entities:
            Base: {abstract: true\(leadsToBoth ? notes : "")}
            Health: {parent: Base, relationships: {link: {to: Link, inverse: task}}}
            Link: {relationships: {task: {to: Health, inverse: link}}}
            Note: {relationships: {task: {to: \(leadsToBoth ? "Base" : "Task"), inverse: notes}}}
            Task: {parent: Base\(leadsToBoth ? "" : notes)}
          """,
        ], into: folder)
      let versions = try #require(readVersionedModel(folder: folder).model?.versions)
      let changed = Diagnostic(
        .init("MC3106"), .error, "", subject: ModelSubject(version: "V2", entity: "Link", property: "task"))
      let suggested = [changed].suggestedMapping(from: versions[0], to: versions[1])?.entityMappings ?? []
      #expect(suggested.map(\.name) == (leadsToBoth ? [] : ["LinkToLink", "TaskToTask", "TaskToHealth"]))
    }
  }

  @Test func `an inferred mapping written in full reads back and gives the same`() throws {
    try withTemporaryFolder { folder in
      try writeVersions(
        [
          "entities: {Hut: {attributes: {name: string?, beds: integer16?}}, Gone: {}}",
          """
          entities:
            Hut: {attributes: {title: {type: string, default: "it's", renamingIdentifier: name}, beds: double?}}
            Fresh: {}
          """,
        ], into: folder)
      let versions = try #require(readVersionedModel(folder: folder).model?.versions)
      let inferred = inferMappingModel(from: versions[0], to: versions[1]).mappingModel
      let text = writeMappingFile([inferred.stated(from: versions[0], to: versions[1])])
      #expect(text.contains("title: coalesce($source.name, 'it\\'s')"), "\(text)")
      let reading = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml")
      #expect(reading.diagnostics == [], "\(text)")
      let (mapping, findings) = reading.mappingModels.resolved(from: versions[0], to: versions[1])
      #expect(!findings.hasErrors, "\(findings)")
      #expect(mapping.mappings(toEntity: "Hut").first?.sourceEntityName == "Hut")
      #expect(mapping.mappings(toEntity: "Fresh").first?.sourceEntityName == nil)
    }
  }
}
