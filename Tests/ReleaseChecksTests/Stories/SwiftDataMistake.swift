import Testing

/// A small app with one mistake, and the same fixed.
///
/// The app has a folder `App`: `Models.swift` holds the classes and the schemas, `App.swift` what opens the store. What
/// stands in front of `→` was there at the tag v1.0, what stands behind it is there today.
struct SwiftDataMistake: Sendable, CustomTestStringConvertible {
  enum Kind: Sendable {
    /// No versions: all is inferred from what the tag shipped.
    case inferred
    /// Two schemas and a plan, without tags.
    case plan
    /// A plan, and the tag shipped its newest schema.
    case tagged
  }

  var name: String
  var kind: Kind
  var code: String
  /// A text of the line at which the finding stands; nil for none.
  var line: String?
  /// What the class of the newest schema holds, at the tag.
  var then = "var name: String = \"\""
  var mistake: String
  var mend: String
  /// Parts of the plan's source, as they are with the mistake; fixed, they are as they should be.
  var changes: [(right: String, wrong: String)] = []
  var testDescription: String { name }

  private static let plan = """
    enum V1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [V1.Trip.self] }
      @Model final class Trip { var name: String = ""; init() {} }
    }
    enum V2: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { [V2.Trip.self] }
      @Model final class Trip {
        BODY
        init() {}
      }
    }
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] {
        [.lightweight(fromVersion: V1.self, toVersion: V2.self)]
      }
    }

    """

  private func source(_ body: String) -> String {
    let text = kind == .inferred ? "@Model final class Trip {\n  BODY\n  init() {}\n}\n" : Self.plan
    return "import Foundation\nimport SwiftData\n"
      + text.replacing("BODY", with: body.replacing("; ", with: "\n"))
  }

  var former: String { source(then) }
  var fixed: String { source(mend) }
  var wrong: String { changes.reduce(source(mistake)) { $0.replacing($1.right, with: $1.wrong) } }

  static let base = "var name: String = \"\"; var note: String?"

  static func ofPlan(
    _ name: String, _ code: String, at line: String?, mistake: String = base, mend: String = base,
    _ changes: [(right: String, wrong: String)] = []
  ) -> Self {
    Self(name: name, kind: .plan, code: code, line: line, mistake: mistake, mend: mend, changes: changes)
  }

  static func ofTag(
    _ name: String, _ code: String, at line: String?, then: String, mistake: String, mend: String,
    kind: Kind = .inferred
  ) -> Self {
    Self(name: name, kind: kind, code: code, line: line, then: then, mistake: mistake, mend: mend)
  }

  static let all = inSchemas + inProperties + inCodedValues
}
