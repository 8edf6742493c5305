import Foundation
import TestSupport
import Testing

@Suite("Losses and obstacles are counted on the store and told before anything is written")
struct LossAndObstacleTests {
  /// A change to version V3 of the sample, and what conflicts with the migration of its V1 store then.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var edits: KeyValuePairs<String, String>
    var code: String
    var entity: String
    var property: String?
    var words: [String]
  }

  static let cases = [
    Case(
      testDescription: "a dropped attribute", edits: ["retired: [Hut.warden]\n": ""], code: "MC3111",
      entity: "Hut", property: "warden", words: ["13 values", "--allow-loss MC3111", "retired:"]),
    Case(
      testDescription: "a new required attribute without a default",
      edits: [
        "      hasCross: boolean = false":
          "      hasCross: boolean = false\n  Ranger:\n    attributes:\n      name: string",
        "      beds: integer16 = 0\n": "      beds: integer16 = 0\n      code: string\n",
      ],
      code: "MC3101", entity: "Hut", property: "code",
      words: ["40 objects", "primary keys 1, 2, 3", "134110"]),
    Case(
      testDescription: "an attribute that becomes required and has nulls",
      edits: ["      caption: string?": "      caption: string"], code: "MC3101", entity: "Photo",
      property: "caption", words: ["255 objects", "primary keys"]),
    Case(
      testDescription: "a type that does not convert",
      edits: ["      title: string\n": "      title: date\n"], code: "MC3103", entity: "Stage",
      property: "title", words: ["string", "date", "134190"]),
    Case(
      testDescription: "a constraint that the store's rows break",
      edits: ["    uniquenessConstraints:\n      - [name]": "    uniquenessConstraints:\n      - [region]"],
      code: "MC3105", entity: "Trail", property: nil, words: ["duplicates", "have the same values", "134111"]),
  ]

  @Test(arguments: cases)
  func `refused with the count, the keys and the way out, the store untouched`(_ obstacle: Case) throws {
    try Workplace.withDemo { place, store in
      for (old, new) in obstacle.edits { try place.replace(old, with: new, in: "T/Models/Trails/V3.yaml") }
      let before = try place.snapshot()
      let run = try place.modelc("migrate", store, "-C", "T")
      #expect(run.errors == [obstacle.code], "\(run)")
      #expect(run.code == 1)
      for word in obstacle.words { #expect(run.stderr.contains(word), "\(word) in \(run)") }
      let plan = try place.modelc("plan", store, "-C", "T", "--format", "json")
      let errors = try plan.decoded(as: MigrationRecord.self).diagnostics.filter { $0.severity == "error" }
      #expect(errors.map(\.code) == [obstacle.code])
      #expect(errors.first?.entity == obstacle.entity)
      #expect(errors.first?.property == obstacle.property)
      #expect(errors.first?.file == "T/Models/Trails/V3.yaml")
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `an accepted loss passes, a code that does not occur is a note, and no code is a usage error`()
    throws
  {
    try Workplace.withDemo { place, store in
      try place.replace("retired: [Hut.warden]\n", with: "", in: "T/Models/Trails/V3.yaml")
      let wrong = try place.modelc("migrate", store, "-C", "T", "--allow-loss", "warden")
      #expect(wrong.code == 2)
      let other = try place.modelc("plan", store, "-C", "T", "--allow-loss", "MC3109")
      #expect(other.errors == ["MC3111"])
      #expect(other.stderr.contains("note: \(store) has no loss with the code MC3109"), "\(other)")
      let run = try place.modelc("migrate", store, "-C", "T", "--allow-loss", "MC3111", "--format", "json")
      expectSuccess(run)
      let losses = try run.decoded(as: MigrationRecord.self).losses
      #expect(losses.map(\.count) == [13])
      #expect(losses.first?.property == "warden")
    }
  }

  @Test func `a required attribute without a default is fine where the table is empty`() throws {
    try Workplace.withDemo { place, store in
      try place.replace(
        "      hasCross: boolean = false", with: "      hasCross: boolean", in: "T/Models/Trails/V3.yaml")
      try place.replace(
        "  Companion:\n    attributes:\n", with: "  Companion:\n    attributes:\n      code: string\n",
        in: "T/Models/Trails/V3.yaml")
      expectSuccess(try place.modelc("migrate", store, "-C", "T"))
    }
  }
}
