import Foundation
import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

/// Each rule of the gate for SwiftData, with the source as a user would write it, and the same fixed.
@Suite("Rules for SwiftData's schemas and plans", .readsSwift)
struct SwiftDataGateRuleTests {
  /// Two schemas with types of their own, and a plan.
  private func program(
    first: String = "var name: String", second: String = "var name: String; var note: String?",
    stages: String = ".lightweight(fromVersion: V1.self, toVersion: V2.self)",
    schemas: String = "V1.self, V2.self",
    firstModels: String = "V1.Trip.self", versions: (String, String) = ("1, 0, 0", "2, 0, 0"),
    more: String = ""
  ) -> String {
    """
    enum V1: VersionedSchema {
      static let versionIdentifier = Schema.Version(\(versions.0))
      static var models: [any PersistentModel.Type] { [\(firstModels)] }
      @Model final class Trip { \(first); init() {} }
    }
    enum V2: VersionedSchema {
      static var versionIdentifier: Schema.Version { .init(\(versions.1)) }
      static var models: [any PersistentModel.Type] { return [Trip.self] }
    }
    extension V2 { @Model final class Trip { \(second); init() {} } }
    typealias Trip = V2.Trip
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [\(schemas)] }
      static var stages: [MigrationStage] { [\(stages)] }
    }
    \(more)
    """
  }

  private let same = """
    enum Same: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 5, 0)
      static var models: [any PersistentModel.Type] { V1.models }
    }
    """

  @Test("A sound program has no finding")
  func sound() {
    #expect(codes(program()).isEmpty)
    let model = readSource(program()).model
    #expect(model?.versions.map(\.name) == ["1.0.0", "2.0.0"])
    #expect(model?.version(named: "V2")?.name == "2.0.0")
    #expect(model?.stages.count == 1)
  }

  @Test("A protocol that refines VersionedSchema makes schemas, and is none itself")
  func refinedProtocols() {
    func refined(_ name: String) -> String {
      program().replacingBytes(of: ": \(name) {", with: ": App\(name) {")
        + "\nprotocol App\(name): Noted\(name) {}\nprotocol Noted\(name): \(name) { static var notes: String { get } }"
    }
    for source in [refined("VersionedSchema"), refined("SchemaMigrationPlan")] {
      #expect(codes(source).isEmpty)
      #expect(readSource(source).model?.versions.map(\.name) == ["1.0.0", "2.0.0"])
      #expect(readSource(source).model?.stages.count == 1)
    }
  }

  @Test("MC2610: two schemas with one checksum")
  func checksums() {
    #expect(codes(program(second: "var name: String")) == ["MC2610"])
    #expect(codes(program(second: "@Attribute(hashModifier: \"2\") var name: String")).isEmpty)
    // One class in both is no live type where the newest schema has classes of its own.
    #expect(codes(program(stages: "", schemas: "V1.self, Same.self, V2.self", more: same)) == ["MC2610"])
  }

  @Test("MC2611: an old schema lists the live type")
  func liveTypes() throws {
    #expect(codes(program(firstModels: "V2.Trip.self")) == ["MC2611"])
    #expect(codes(program(firstModels: "V1.Trip.self")).isEmpty)
    // A class of the old schema that the newest one takes over.
    let stop = "extension V1 { @Model final class Stop { var number: Int = 0; init() {} } }"
    let reused = program(firstModels: "Trip.self, Stop.self", more: stop)
      .replacingBytes(of: "return [", with: "return [V1.Stop.self, ")
    let finding = try #require(readSource(reused).model?.gateFindings.first)
    #expect(finding.code == .liveType && finding.severity == .warning)
    #expect(finding.help == ["before 'Stop' changes, give '2.0.0' a class of its own"])
    let twice = readSource(program(stages: "", schemas: "V1.self, Same.self", more: same)).model?.gateFindings
    let one = twice?.first { $0.code == .liveType }
    #expect(one?.severity == .error)
    // It may be a schema that changes nothing, which no tag shows.
    #expect(one?.help.last == "or remove '1.5.0' from the plan, if it changes nothing")
  }

  @Test func `schemas are notes where there is no plan, and the containers have none`() {
    let source = program(firstModels: "V2.Trip.self").replacingBytes(of: ": SchemaMigrationPlan", with: "")
    #expect(codes(source).contains("MC2611"))
    let twin = source + "\n" + same.replacingBytes(of: "V1.models", with: "V2.models")
    let help = (readSource(twin).model?.gateFindings ?? []).filter { $0.code == .liveType }.map(\.help.count)
    #expect(help == [1])
    let container = "\nlet container = try! ModelContainer(for: Schema(versionedSchema: V2.self)"
    #expect(codes(source + container + ")") == ["MC2614"])
    #expect(codes(source + container + ", migrationPlan: AppPlan.self)").contains("MC2611"))
  }

  @Test func `without stages an old schema may list the live class`() {
    let stop = "@Model final class Stop { var number: Int = 0; init() {} }"
    let types = "V2.Trip.self, Stop.self"
    #expect(codes(program(firstModels: types, more: stop)) == ["MC2611"])
    #expect(codes(program(stages: "", firstModels: types, more: stop)).isEmpty)
    // Two equal schemas stop the app, also behind one that shares their classes.
    let twin = same.replacingBytes(of: "V1.models", with: "V2.models")
    let all = "V1.self, Same.self, V2.self"
    let source = program(stages: "", schemas: all, firstModels: types, more: stop + "\n" + twin)
    let live = (readSource(source).model?.gateFindings ?? []).filter { $0.code == .liveType }
    #expect(live.map(\.subject?.version) == ["1.5.0"])
  }

  @Test("MC2613: a required property without a default under a lightweight stage")
  func requirements() {
    #expect(codes(program(second: "var name: String; var stars: Int")) == ["MC2613"])
    #expect(codes(program(second: "var name: String; var stars: Int = 0")).isEmpty)
    #expect(codes(program(second: "var name: String; var at: Date = Date()")).isEmpty)
    #expect(codes(program(second: "var name: String; var stars: Int?")).isEmpty)
    #expect(codes(program(second: "var name: String; var stars: Int = Store.firstStars()")).isEmpty)
    #expect(
      codes(
        program(
          second: "var name: String; var stars: Int",
          stages: ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: { _ in })")
      ).isEmpty)
  }

  @Test("MC2614: a stage is missing")
  func stages() {
    #expect(codes(program(stages: ".lightweight(fromVersion: V2.self, toVersion: V2.self)")) == ["MC2614"])
    // SwiftData infers the step.
    #expect(codes(program(stages: "")).isEmpty)
    #expect(
      codes(
        program(
          stages: "Self.step",
          more:
            "extension Plan { static let step = MigrationStage.lightweight(fromVersion: V1.self, toVersion: V2.self) }"
        )
      ).isEmpty)
    #expect(
      codes(
        program(
          stages: ".step",
          more:
            "extension MigrationStage { static let step = Self.lightweight(fromVersion: V1.self, toVersion: V2.self) }"
        )
      ).isEmpty)
  }

  @Test func `a schema has the list that the extension of its protocol makes`() {
    let more = """
      protocol Listed: VersionedSchema { static var own: [any PersistentModel.Type] { get } }
      extension Listed { static var models: [any PersistentModel.Type] { own } }
      """
    let list = ": [any PersistentModel.Type] { [V1.Trip.self] }"
    let source = program(more: more).replacingBytes(of: "models\(list)", with: "own\(list)")
      .replacingBytes(of: "enum V1: VersionedSchema", with: "enum V1: Listed")
    let (model, diagnostics) = readSource(source)
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    #expect(model?.versions.map(\.name) == ["1.0.0", "2.0.0"])
    #expect(model?.versions.first?.model.entities.map(\.name) == ["Trip"])
    #expect(model?.gateFindings.isEmpty == true)
  }

  @Test(
    "A closure behind a stage is its willMigrate, unless that is named",
    arguments: [
      (") { work($0) } didMigrate: { work($0) }", [true, true]),
      (", willMigrate: nil) { work($0) }", [false, true]),
      (", willMigrate: { work($0) }) { work($0) }", [true, true]),
      (", willMigrate: { work($0) }, didMigrate: nil)", [true, false]),
      (", willMigrate: { _ in }, didMigrate: { context in /* later */ })", [false, false]),
    ])
  func closures(_ end: String, _ expected: [Bool]) {
    let stage = ".custom(fromVersion: V1.self, toVersion: V2.self\(end)"
    let stages = readSource(program(stages: stage)).model?.stages ?? []
    let found = stages.flatMap { stage -> [Bool] in
      guard case .custom(let custom) = stage else { return [] }
      return [custom.willMigrateHandler != nil, custom.didMigrateHandler != nil]
    }
    #expect(found == expected)
  }

  @Test(
    "MC2644: work that fetches or inserts a class of another schema than the open one",
    arguments: [
      ("try work($0.fetch(FetchDescriptor<V2.Trip>()))", "nil", ["'willMigrate' uses 'V2.Trip'"]),
      // By the typealias.
      (
        "let all = FetchDescriptor<Trip>(sortBy: []); try work($0.fetch(all))", "nil",
        ["'willMigrate' uses 'V2.Trip'"]
      ),
      (
        "nil", "for trip in try $0.fetch(FetchDescriptor<V1.Trip>()) { work(trip) }",
        ["'didMigrate' uses 'V1.Trip'"]
      ),
      (
        "try work($0.fetch(FetchDescriptor<V1.Trip>()))", "try work($0.fetch(FetchDescriptor<Trip>()))", []
      ),
      (
        "context in try work(context.fetch(FetchDescriptor<Trip>()))",
        "(context: ModelContext) in try context.enumerate(FetchDescriptor<V1.Trip>()) { _ in }",
        ["'willMigrate' uses 'V2.Trip'", "'didMigrate' uses 'V1.Trip'"]
      ),
      // Another context may have the other schema.
      ("try work(shared.fetch(FetchDescriptor<Trip>()))", "try load(FetchDescriptor<V1.Trip>())", []),
      ("let own = ModelContext(made); try work(own.fetch(FetchDescriptor<Trip>()))", "nil", []),
      ("try work($0.fetch(FetchDescriptor<Unknown>()))", "nil", []),
      ("$0.insert(V2.Trip()); try $0.save()", "nil", ["'willMigrate' uses 'V2.Trip'"]),
      ("nil", "let old = V1.Trip(); $0.insert(old); try $0.save()", ["'didMigrate' uses 'V1.Trip'"]),
      ("do { let it = V2.Trip(); work(it) }; let it = V1.Trip(); $0.insert(it); try $0.save()", "nil", []),
      ("$0.insert(V1.Trip()); made.insert(Trip()); try $0.save()", "$0.insert(Trip()); try $0.save()", []),
    ])
  func foreignFetches(_ before: String, _ after: String, _ expected: [String]) {
    let work = [before, after].map { $0 == "nil" ? $0 : "{ \($0) }" }
    let stage =
      ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: \(work[0]), didMigrate: \(work[1]))"
    let found = (readSource(program(stages: stage)).model?.gateFindings ?? []).filter {
      $0.code == .foreignFetch
    }
    #expect(found.map { String($0.message.prefix { $0 != "," }) } == expected)
  }

  /// The work of functions that a stage names, or gives its context to.
  private func work(_ name: String) -> (fetched: [String], emptied: Set<String>) {
    let more = """
      extension Plan {
        static func prepare(_ context: ModelContext) throws {
          log(try context.fetch(FetchDescriptor<V2.Trip>()))
        }
        private static func outer(_ context: ModelContext) throws {
          log()
          try prepare(context)
          try prepare(context)
        }
        static func clear(in own: ModelContext) throws {
          try own.delete(model: V1.Trip.self)
          try own.save()
        }
        static func drop(_ context: ModelContext) throws {
          let all = try context.fetch(FetchDescriptor<V1.Trip>())
          for trip in all { context.delete(trip) }
        }
        static func all(_ context: ModelContext) throws { try drop(context) }
        static func refill(_ context: ModelContext) { context.insert(V1.Trip()) }
        static func archive(_ context: ModelContext) throws {
          let own = ModelContext(other)
          try own.delete(model: V1.Trip.self)
          try own.save()
        }
        static func part(_ context: ModelContext) throws {
          guard isOld else { return }
          try context.delete(model: V1.Trip.self)
        }
        static func several(_ context: ModelContext, _ isNew: Bool) throws {
          log(try context.fetch(FetchDescriptor<V2.Trip>()))
        }
        static func twice(_ context: ModelContext) {}
        static func twice(in context: ModelContext) throws { try several(context, true) }
        static func round(_ context: ModelContext) throws {
          log()
          try round(context)
        }
      }
      """
    let stage = ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: \(name), didMigrate: nil)"
    let model = readSource(program(stages: stage, more: more)).model
    let fetched = (model?.gateFindings ?? []).filter { $0.code == .foreignFetch }
    guard case .custom(let custom)? = model?.stages.first else { return ([], []) }
    return (fetched.map { String($0.message.prefix { $0 != "," }) }, custom.emptied)
  }

  @Test(arguments: [
    ("Self.prepare", 1), ("prepare(_:)", 1), ("{ try prepare($0) }", 1), ("{ try outer($0) }", 1),
    ("{ context in log(); try Plan.prepare(context) }", 1), ("{ try several($0, true) }", 0),
    ("{ log(ModelContext(made)); try prepare($0) }", 0),
    ("{ try twice($0) }", 0), ("round", 0), ("unknown", 0), ("{ try log(prepare($0.container)) }", 0),
  ])
  func `functions that are given the context of a stage alone are followed`(_ name: String, _ count: Int) {
    let expected = [String](repeating: "'willMigrate' uses 'V2.Trip'", count: count)
    #expect(work(name).fetched == expected)
  }

  @Test(arguments: [
    ("Self.clear(in:)", ["Trip"]), ("{ context in try Self.clear(in: context) }", ["Trip"]),
    ("{ log(); try clear(in: $0); try $0.save() }", ["Trip"]),
    ("{ try drop($0); try $0.save() }", ["Trip"]),
    ("{ try all($0); log(); try $0.save() }", ["Trip"]),
    // What nobody saves, or may not come to it.
    ("{ try drop($0) }", []), ("{ log(); try drop($0) }", []), ("{ try $0.save(); try drop($0) }", []),
    ("{ try? clear(in: $0) }", []), ("{ if isOld { try drop($0) }; try $0.save() }", []),
    ("{ try part($0); try $0.save() }", []),
    // What empties another store, or makes objects again.
    ("{ try archive($0); try $0.save() }", []),
    ("{ try drop($0); refill($0); try $0.save() }", []),
    ("{ try $0.delete(model: V1.Trip.self); refill($0); try $0.save() }", []),
  ])
  func `a stage empties what functions do before it saves`(_ name: String, _ expected: [String]) {
    #expect(work(name).emptied.sorted() == expected)
  }

  @Test func `what a schema does not have is looked for at the schema`() throws {
    let map = try #require(readSource(program()).model?.versions.last?.sourceMap)
    let schema = try #require(map[ModelSubject()])
    #expect(map.nearestRange(to: ModelSubject(entity: "Gone", property: "name")) == schema)
    #expect(schema.start.line > 1)
  }

  @Test func `a stage may be a property of an object that is made for it`() {
    let more = """
      final class ToV2 {
        var names: [String] = []
        var stage: MigrationStage {
          return MigrationStage.custom(
            fromVersion: V1.self, toVersion: V2.self, willMigrate: self.prepare(_:), didMigrate: nil)
        }
        func prepare(_ context: ModelContext) throws {
          names = try context.fetch(FetchDescriptor<V2.Trip>()).map(\\.name)
        }
      }
      """
    let (model, diagnostics) = readSource(program(stages: "ToV2().stage", more: more))
    #expect(!diagnostics.hasErrors && model?.stages.count == 1, "\(diagnostics)")
    #expect(model?.gateFindings.map(\.code) == [.foreignFetch])
  }

  @Test("MC2615: an originalName that leads nowhere")
  func originalNames() {
    let renamed = "@Attribute(originalName: \"nmae\") var title: String = \"\""
    #expect(codes(program(second: renamed)) == ["MC2615"])
    #expect(codes(program(second: renamed.replacingOccurrences(of: "nmae", with: "name"))).isEmpty)
  }

  @Test(arguments: ["step()", "Self.step()", "Plan.step()"])
  func `a stage may be what a function without parameters returns`(_ stage: String) {
    let more = """
      extension Plan {
        static func step() -> MigrationStage {
          var names: [String] = []
          return MigrationStage.custom(
            fromVersion: V1.self, toVersion: V2.self, willMigrate: { _ in names = [] }, didMigrate: nil)
        }
      }
      """
    let (model, diagnostics) = readSource(program(stages: stage, more: more))
    #expect(!diagnostics.hasErrors && model?.stages.count == 1, "\(diagnostics)")
    #expect(model?.gateFindings.isEmpty == true)
    // One that calls itself is not followed.
    let round = more.replacingBytes(of: "MigrationStage.custom", with: "step(); _ = f")
    #expect(codes(program(stages: stage, more: round)).contains("MC2604"))
  }

  @Test func `a schema may be a constant of another type, in the plan and in its stage`() {
    let more = """
      enum ToV2 {
        static let new: any VersionedSchema.Type = V2.self
        static var old: any VersionedSchema.Type { V1.self }
        static let stage = MigrationStage.lightweight(fromVersion: Self.old, toVersion: new)
      }
      """
    let source = program(stages: "ToV2.stage", schemas: "V1.self, ToV2.new", more: more)
    let (model, diagnostics) = readSource(source)
    #expect(!diagnostics.hasErrors && model?.stages.count == 1, "\(diagnostics)")
    #expect(model?.versions.map(\.name) == ["1.0.0", "2.0.0"])
    // What is chosen when the app runs is not known.
    let choice = source.replacingBytes(of: "= V2.self", with: "= isNew ? V2.self : V1.self")
    #expect(codes(choice).contains("MC2604"))
  }

  @Test("MC2616: a stage that passes over custom ones")
  func passedOver() {
    let third = """
      enum V3: VersionedSchema {
        static let versionIdentifier = Schema.Version(3, 0, 0)
        static let models: [any PersistentModel.Type] = [Trip.self]
        @Model final class Trip { var name: String; var note: String?; var more: String?; init() {} }
      }
      """
    let steps =
      ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: { _ in }), "
      + ".lightweight(fromVersion: V2.self, toVersion: V3.self)"
    let all = "V1.self, V2.self, V3.self"
    #expect(codes(program(stages: steps, schemas: all, more: third)).isEmpty)
    let short = steps + ", .lightweight(fromVersion: V1.self, toVersion: V3.self)"
    #expect(codes(program(stages: short, schemas: all, more: third)) == ["MC2616"])
  }

  @Test("MC2617: a Codable struct gained a member that must have a value")
  func structs() {
    func source(_ member: String) -> String {
      program(
        first: "var place: Place; struct Place: Codable { var latitude: Double }",
        second: "var place: Place; struct Place: Codable { var latitude: Double; \(member) }")
    }
    #expect(codes(source("var height: Double")) == ["MC2617"])
    #expect(codes(source("var height: Double?")).isEmpty)
  }

  @Test("MC2618: a schema that the plan lists twice, or not at all, or under the version of another")
  func listing() {
    #expect(codes(program(schemas: "V1.self, V2.self, V1.self")) == ["MC2618"])
    #expect(codes(program(stages: "", schemas: "V2.self")) == ["MC2618"])
    #expect(codes(program(versions: ("1, 0, 0", "1, 0, 0"))) == ["MC2618"])
    #expect(codes(program(schemas: "V1.self, V2.self, V9.self")) == ["MC2618"])
    // Its stores are those of V1, and in the plan it would be a second V1.
    #expect(codes(program(more: same)).isEmpty)
  }

  @Test func `a schema that stages lead to is a version, listed or not`() {
    let container = "let container = try! ModelContainer(for: Schema(V2.models), migrationPlan: Plan.self)"
    for more in ["", container] {
      let model = readSource(program(schemas: "V1.self", more: more)).model
      #expect(model?.versions.map(\.name) == ["1.0.0", "2.0.0"])
      #expect(model?.stages.count == 1)
      #expect(model?.gateFindings.map(\.code) == [.planListing])
      #expect(model?.gateFindings.map(\.severity) == [.warning])
    }
  }

  @Test(arguments: [
    ("V1.self, V3.self", [(1, 2), (2, 3)], ["1.0.0", "2.0.0", "3.0.0"]),
    ("V1.self", [(2, 3), (1, 2)], ["1.0.0", "2.0.0", "3.0.0"]),
    ("V1.self", [(1, 3), (1, 2), (2, 3)], ["1.0.0", "2.0.0", "3.0.0"]),
    ("V2.self, V1.self", [(1, 2), (2, 3)], ["2.0.0", "1.0.0", "3.0.0"]),
  ])
  func `schemas that the list leaves out stand where stages lead to them`(
    _ schemas: String, _ steps: [(Int, Int)], _ expected: [String]
  ) {
    let third = """
      enum V3: VersionedSchema {
        static let versionIdentifier = Schema.Version(3, 0, 0)
        static let models: [any PersistentModel.Type] = [Trip.self]
        @Model final class Trip { var name: String; var note: String?; var more: String?; init() {} }
      }
      """
    let stages = steps.map { ".lightweight(fromVersion: V\($0.0).self, toVersion: V\($0.1).self)" }
    let source = program(stages: stages.joined(separator: ", "), schemas: schemas, more: third)
    let model = readSource(source).model
    #expect(model?.versions.map(\.name) == expected)
    let unlisted = (model?.gateFindings ?? []).filter { $0.message.contains("does not list the schema") }
    #expect(unlisted.count == 3 - schemas.split(separator: ",").count, "\(unlisted)")
  }

  @Test func `a container with a schema that no plan lists is one on disk`() throws {
    let more = """
      enum V3: VersionedSchema {
        static let versionIdentifier = Schema.Version(3, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip { var name: String; var stars: Int?; init() {} }
      }
      let container = try! ModelContainer(for: Schema(V3.models), migrationPlan: Plan.self)
      func preview() -> ModelContainer {
        let schema = Schema(V3.models)
        let memory = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
        return try! ModelContainer(for: schema, configurations: memory)
      }
      """
    let found = readSource(program(more: more)).model?.gateFindings.first { $0.severity == .error }
    let line = try #require(found?.notes.first?.place?.start.line)
    let source = "import SwiftData\n" + program(more: more)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[line - 1].contains("let container"), "\(line)")
  }

  @Test func `a plan that lists the newest schema first leads to the highest version`() {
    for stages in ["", ".lightweight(fromVersion: V1.self, toVersion: V2.self)"] {
      let model = readSource(program(stages: stages, schemas: "V2.self, V1.self")).model
      #expect(model?.versions.map(\.name) == ["1.0.0", "2.0.0"])
      #expect(model?.gateFindings.isEmpty == true)
    }
    // Here the numbers say nothing.
    let back = ".lightweight(fromVersion: V2.self, toVersion: V1.self)"
    let model = readSource(program(stages: back, schemas: "V2.self, V1.self")).model
    #expect(model?.versions.map(\.name) == ["2.0.0", "1.0.0"])
  }

  @Test func `thousands of stages that lead to each other are read`() {
    let stages = (1...3000).reversed().map {
      ".lightweight(fromVersion: S\($0 - 1).self, toVersion: S\($0).self)"
    }
    let model = readSource(program(stages: stages.joined(separator: ", "))).model
    #expect(model?.versions.map(\.name) == ["1.0.0", "2.0.0"])
  }

  @Test(
    "MC2618: the container's own schema is not in its plan",
    arguments: [
      "Schema(versionedSchema: V3.self)", "Schema(V3.models)", "V3.Trip.self", "Schema([V3.Trip.self])",
    ])
  func listingOfContainers(_ schema: String) {
    func severities(_ container: String, stages: String? = nil) -> [Diagnostic.Severity] {
      let more = """
        enum V3: VersionedSchema {
          static let versionIdentifier = Schema.Version(3, 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self] }
          @Model final class Trip { var name: String; var stars: Int?; init() {} }
        }
        let container = try! ModelContainer(for: \(container))
        """
      let source = stages.map { program(stages: $0, more: more) } ?? program(more: more)
      return readSource(source).model?.gateFindings.filter { $0.code == .planListing }.map(\.severity) ?? []
    }
    #expect(severities("\(schema), migrationPlan: Plan.self") == [.error])
    // Without the plan, or without stages, SwiftData infers one step.
    #expect(severities(schema) == [.warning])
    #expect(severities("\(schema), migrationPlan: Plan.self", stages: "") == [.warning])
    #expect(severities("V2.Trip.self, migrationPlan: Plan.self") == [.warning])
  }

  @Test("Lists that are computed are refused if they stand")
  func lists() {
    #expect(codes(program(schemas: "V1.self] + more() + [V2.self")).contains("MC2604"))
    #expect(
      codes(
        program(
          firstModels: "Trip.self] + Self.others + [",
          more: "extension V1 { static let others: [any PersistentModel.Type] = [] }")
      ).isEmpty)
    #expect(codes(program(firstModels: "V1.Trip.self as any PersistentModel.Type")) == [])
    let stage = ".lightweight(fromVersion: V1.self, toVersion: V2.self)"
    #expect(codes(program(stages: "\(stage)] + [MigrationStage]() + .init() + [")) == [])
  }
}
