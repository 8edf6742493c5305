import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

/// What the app's ModelContainer and ModelConfiguration say of its stores.
@Suite("SwiftData's containers", .readsSwift)
struct SwiftDataContainerTests {
  private static let classes = """
    @Model final class Trip { var name: String = ""; var stop: Stop?; init() {} }
    @Model final class Stop { var name: String = ""; init() {} }
    @Model final class Draft { var name: String = ""; init() {} }

    """

  private func app(_ body: String) -> String {
    "\(Self.classes)@main struct TripsApp: App { var container: ModelContainer = { \(body) }() }"
  }

  private func entities(_ body: String) -> [String] {
    readSource(app(body)).model?.currentVersion?.model.entities.map(\.name) ?? []
  }

  @Test(arguments: [
    "try! ModelContainer(for: Trip.self)", "let all = more(); return try! ModelContainer(for: Schema(all))",
    "ContentView().modelContainer(for: [Trip.self])",
  ])
  func `every class counts, for a container may be in source that is not read`(_ body: String) {
    #expect(entities(body) == ["Trip", "Stop", "Draft"])
  }

  @Test(arguments: [
    ("try! ModelContainer(for: Trip.self)", ["Trip", "Stop"]),
    ("try! ModelContainer(for: Draft.self)", ["Trip", "Stop", "Draft"]),
    // Its stores are not all known.
    ("try! ModelContainer(for: Trip.self, configurations: other)", ["Trip", "Stop", "Draft"]),
    ("try! ModelContainer(for: all)", ["Trip", "Stop", "Draft"]), ("nil", ["Trip", "Stop", "Draft"]),
  ])
  func `a class that a container keeps in memory alone is in no store`(_ body: String, _ expected: [String]) {
    let memory = "ModelContainer(for: Draft.self, configurations: .init(isStoredInMemoryOnly: true))"
    #expect(entities("let tests = try! \(memory); return \(body)") == expected)
  }

  private func differing(_ body: String) -> [String] {
    let classes = "@Model final class Note { var text: String = \"\"; init() {} }\n"
    return (readSource(classes + app(body)).model?.gateFindings ?? []).filter {
      $0.code.description == "MC2643"
    }
    .map(\.message)
  }

  @Test(arguments: [
    ("struct Sample: PreviewModifier", 0), ("struct Trips_Previews: SwiftUI.PreviewProvider", 0),
    ("struct Sample: View", 1), ("final class Sample: PreviewModifier", 0),
    ("struct Sample {}; extension Sample: PreviewModifier", 0),
  ])
  func `previews make no stores`(_ head: String, _ count: Int) {
    let preview =
      "\(head) { static func make() throws -> ModelContainer { try ModelContainer(for: Trip.self) } }\n"
    let source = preview + app("try! ModelContainer(for: Trip.self, Draft.self)")
    let found = (readSource(source).model?.gateFindings ?? []).filter { $0.code.description == "MC2643" }
    #expect(found.count == count, "\(found.map(\.message))")
  }

  /// An app, and its widget or an intent.
  @Test(arguments: [
    // The same, also where it is reached.
    "f(try! ModelContainer(for: Trip.self, Stop.self)); return try! ModelContainer(for: Trip.self)",
    // Other files, and what a run alone tells.
    "f(try! ModelContainer(for: Trip.self, Draft.self)); return try! ModelContainer(for: Trip.self, configurations: .init(\"Other\"))",
    "f(try! ModelContainer(for: Trip.self, Draft.self)); return try! ModelContainer(for: Trip.self, configurations: other)",
    "f(try! ModelContainer(for: Trip.self, Draft.self)); return try! ModelContainer(for: Trip.self, configurations: .init(isStoredInMemoryOnly: true))",
    // Another app of the same source.
    "f(try! ModelContainer(for: Trip.self)); return try! ModelContainer(for: Draft.self)",
  ])
  func `containers with the same classes, or other stores, are no finding`(_ body: String) {
    #expect(differing(body) == [])
  }

  @Test func `containers that open one store with different classes are found`() {
    let whole = "f(try! ModelContainer(for: Trip.self, Draft.self, Note.self)); "
    let finding = "this container opens 'default.store' without 'Draft', 'Note'"
    #expect(differing(whole + "return try! ModelContainer(for: Trip.self)") == [finding])
    #expect(differing(whole + "return ContentView().modelContainer(for: [Trip.self])") == [finding])
    // Beside a third one, of which only a run tells the file.
    let backup = "g(try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))); "
    #expect(differing(whole + backup + "return try! ModelContainer(for: Trip.self)") == [finding])
    func shared(_ classes: String) -> String {
      "f(try! ModelContainer(for: \(classes), configurations: ModelConfiguration(url: group.appending(path: \"Trips.store\"))));"
    }
    #expect(
      differing(shared("Trip.self") + shared("Draft.self, Stop.self") + "return nil")
        == ["this container opens 'Trips.store' without 'Draft'"])
    // If each lacks a class of the other, their order in the source does not matter.
    let pair = [shared("Trip.self, Draft.self"), shared("Trip.self, Note.self")]
    for parts in [pair, pair.reversed()] {
      let found = differing(parts.joined() + "return nil")
      #expect(found == ["this container opens 'Trips.store' without 'Draft'"])
    }
    let three = pair + [shared("Note.self")]
    for parts in [three, [three[2], three[1], three[0]], [three[1], three[0], three[2]]] {
      let found = differing(parts.joined() + "return nil")
      #expect(found == ["this container opens 'Trips.store' without 'Stop', 'Trip'"])
    }
  }

  @Test(arguments: [("Trips Watch App", 0), ("Widget", 1), ("Watchlist", 1)])
  func `an app on a watch has stores of its own`(_ folder: String, _ count: Int) {
    let own = "let own = try! ModelContainer(for: Trip.self)"
    let files = [("App", app("try! ModelContainer(for: Trip.self, Draft.self)")), (folder, own)].map {
      "import SwiftData\n\($0.1)".parseSwiftFile(path: "\($0.0)/Main.swift", platform: .iOS).0
    }
    let found = files.swiftDataModel(name: "App", source: "App").0?.gateFindings ?? []
    #expect(found.count { $0.code.description == "MC2643" } == count, "\(found.map(\.message))")
  }

  private func mirroring(_ value: String) -> (profile: ModelProfile?, isSure: Bool?) {
    let model = readSource(app("ModelConfiguration(cloudKitDatabase: \(value))")).model
    return (model?.currentVersion?.model.profile, model?.mirroring?.isSure)
  }

  @Test func `a configuration says whether stores are mirrored to CloudKit`() {
    #expect(mirroring(".private(\"iCloud.trips\")") == (.cloudKit, true))
    #expect(mirroring("ModelConfiguration.CloudKitDatabase.private(\"iCloud.trips\")") == (.cloudKit, true))
    #expect(mirroring(".automatic") == (.cloudKit, false))
    #expect(mirroring("syncs ? .private(\"iCloud.trips\") : .none") == (.cloudKit, false))
    #expect(mirroring(".none") == (nil, nil))
    #expect(mirroring("database") == (nil, nil))
    #expect(mirroring(".automatic, isStoredInMemoryOnly: true") == (nil, nil))
    #expect(mirroring(".automatic, isStoredInMemoryOnly: tests ? true : false") == (.cloudKit, false))
    let made = readSource(app("f(.init(cloudKitDatabase: .private(\"iCloud.trips\"))) /* inMemory: true */"))
    #expect(made.model?.mirroring?.isSure == true)
  }

  @Test func `classes of a configuration that is not mirrored are free of CloudKit's rules`() throws {
    let model = readSource(
      app(
        """
        let shared = Schema([Trip.self])
        let cloud = ModelConfiguration("cloud", schema: shared, cloudKitDatabase: .private("iCloud.trips"))
        let local = ModelConfiguration("local", schema: Schema([Draft.self]), cloudKitDatabase: .none)
        return try! ModelContainer(for: Trip.self, Draft.self, configurations: cloud, local)
        """)
    ).model
    let version = try #require(model?.currentVersion)
    #expect(version.model.sparedEntities == ["Draft"])
    #expect(version.model.profile == .cloudKit)
    let help = checkModels(of: [version]).flatMap(\.help).joined()
    #expect(help.contains("var trips: [Trip]? = []`"), "\(help)")
  }

  @Test func `a list of classes that a function keeps is read where calls name it`() {
    let body = """
      let trips: [any PersistentModel.Type] = [Trip.self]
      let drafts: [any PersistentModel.Type] = [Draft.self]
      let cloud = ModelConfiguration("cloud", schema: Schema(trips), cloudKitDatabase: .private("iCloud.trips"))
      let local = ModelConfiguration("local", schema: Schema(drafts), cloudKitDatabase: .none)
      return try! ModelContainer(for: Schema(trips + drafts), configurations: cloud, local)
      """
    let version = readSource(app(body)).model?.currentVersion
    #expect(version?.model.sparedEntities == ["Draft"])
    #expect(version?.listedClasses == ["Trip", "Stop", "Draft"])
    // What is added to a variable is known only when the app runs.
    let added = readSource(app(body.replacingBytes(of: "let trips", with: "var trips"))).model?.currentVersion
    #expect(added?.listedClasses == nil)
    // What a type lists is its own.
    let lists = "enum Lists { static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] } }\n"
    let other = "let models = [Draft.self]; f(models); return try! ModelContainer(for: Schema(Lists.models))"
    #expect(readSource(lists + app(other)).model?.currentVersion?.listedClasses == ["Trip", "Stop"])
  }

  @Test func `a name means what stands where it is used, and a container of its own is another one`() {
    func model(_ body: String) -> VersionedModel? { readSource(Self.classes + body).model }
    let two = model(
      """
      enum Local {
        static let schema = Schema([Draft.self])
        static let database = ModelConfiguration("local", schema: schema, cloudKitDatabase: .none)
      }
      enum Cloud {
        static let schema = Schema([Trip.self])
        static func make() { f(ModelConfiguration(schema: schema, cloudKitDatabase: .private("iCloud.trips"))) }
      }
      """)
    #expect(two?.currentVersion?.model.sparedEntities == ["Draft"])
    let functions = model(
      """
      func local() {
        let schema = Schema([Draft.self])
        let own = ModelConfiguration(schema: schema, cloudKitDatabase: .none)
      }
      func cloud() {
        let schema = Schema([Trip.self])
        let own = ModelConfiguration(schema: schema, cloudKitDatabase: .private("iCloud.trips"))
      }
      """)
    #expect(functions?.currentVersion?.model.sparedEntities == ["Draft"])
    let containers = model(
      """
      let cloud = ModelConfiguration(cloudKitDatabase: .private("iCloud.trips"))
      let trips = try! ModelContainer(for: Trip.self, configurations: cloud)
      let drafts = try! ModelContainer(for: Draft.self, configurations: ModelConfiguration(cloudKitDatabase: .none))
      """)
    #expect(containers?.mirroring?.isSure == true)
    #expect(containers?.currentVersion?.model.sparedEntities == ["Draft"])
    let one = model(
      """
      let cloud = ModelConfiguration("a", cloudKitDatabase: .private("iCloud.trips"))
      let local = ModelConfiguration("b", cloudKitDatabase: .none)
      let all = try! ModelContainer(for: Trip.self, Draft.self, configurations: cloud, local)
      """)
    #expect(one?.mirroring?.isSure == false && one?.currentVersion?.model.sparedEntities == [])
  }

  @Test(arguments: [
    ("try! ModelContainer(for: Trip.self)", ["Library/Application Support/default.store"]),
    (
      "let c = ModelConfiguration(\"a\"); try! ModelContainer(for: Trip.self, configurations: [c])",
      ["Library/Application Support/a.store"]
    ),
    (
      "try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(\"a\", groupContainer: .identifier(\"group.b\")))",
      ["group.b/Library/Application Support/a.store"]
    ),
    (
      "try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(groupContainer: .none))",
      ["~/Library/Application Support/default.store"]
    ),
    (
      "try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: .documentsDirectory.appending(path: \"b\").appending(path: \"c.db\")))",
      ["~/Documents/b/c.db"]
    ),
    (
      "try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: \"group.b\")!.appending(path: \"c.db\")))",
      ["group.b/c.db"]
    ),
    (
      "try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: folder.appending(path: \"b/c.db\")))",
      ["c.db"]
    ),
    (
      "ContentView().modelContainer(for: Trip.self); let c = ModelConfiguration(url: URL(filePath: \"/b/c.db\")); try! ModelContainer(for: Schema([Trip.self]), configurations: c)",
      ["/b/c.db", "Library/Application Support/default.store"]
    ),
    (
      "let url = URL.documentsDirectory.appending(path: \"c.db\"); return try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))",
      ["~/Documents/c.db"]
    ),
    // Nobody but a run tells these.
    (
      "let url = isNew ? folder.appending(path: \"b\") : old; return try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))",
      []
    ),
    (
      "var url = folder.appending(path: \"b\"); return try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))",
      []
    ), ("try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(name))", []),
    ("try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))", []),
    ("try! ModelContainer(for: Trip.self, configurations: other)", []),
    ("try! ModelContainer(for: types)", []),
    (
      "try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(\"a\"), ModelConfiguration(\"b\", isStoredInMemoryOnly: true))",
      []
    ),
  ])
  func `a configuration names the file of its classes`(_ body: String, _ files: [String]) {
    let version = readSource(app(body)).model?.currentVersion
    #expect((version?.storeFiles["Trip"] ?? []).sorted() == files)
    #expect(version?.storeFiles["Stop"] == version?.storeFiles["Trip"])
    #expect(version?.storeFiles["Draft"] == nil)
  }

  @Test func `a static constant names the file of a configuration`() {
    let files = "enum Files { static let store = URL.documentsDirectory.appending(path: \"c.db\") }"
    let body = "try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: Files.store))"
    let version = readSource(app(body) + "\n" + files).model?.currentVersion
    #expect(version?.storeFiles["Trip"] == ["~/Documents/c.db"])
  }

  @Test(arguments: [
    (".local", "extension ModelConfiguration { static let local = ModelConfiguration(\"Mine\") }"),
    (
      ".local",
      "extension ModelConfiguration { static var local: ModelConfiguration { ModelConfiguration(\"Mine\") } }"
    ),
    ("Files.own", "enum Files { static var own: ModelConfiguration { ModelConfiguration(\"Mine\") } }"),
    ("ModelConfiguration(Files.name)", "enum Files { static let name = \"Mine\" }"),
    (
      "ModelConfiguration(url: Files.store)",
      "enum Files { static let name = \"Mine.store\"; static var store: URL { URL.applicationSupportDirectory.appending(path: name) } }"
    ),
  ])
  func `a static member tells the file of a container`(_ configuration: String, _ member: String) {
    func stores(_ files: String...) -> Set<String>? {
      let read = files.enumerated().map { index, text in
        "import SwiftData\n\(text)".parseSwiftFile(path: "App/\(index).swift", platform: .iOS).0
      }
      return read.swiftDataModel(name: "App", source: "App").0?.currentVersion?.storeFiles["Trip"]
    }
    let main = app("try! ModelContainer(for: Trip.self, configurations: \(configuration))")
    let expected = configuration.contains("url") ? "~/" : ""
    for found in [stores(main + "\n" + member), stores(member, main)] {
      #expect(found == ["\(expected)Library/Application Support/Mine.store"])
    }
    // Of a parameter's name nobody tells the value, nor which of two programs is meant.
    let other = member.replacingBytes(of: "Mine", with: "Other")
    #expect(stores(main, member, other) ?? [] == [])
    let parameter = app("try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(name))")
    #expect(stores(parameter + "\nlet name = \"Mine\"") ?? [] == [])
  }

  @Test(arguments: ["", "let url = try make(); return "])
  func `a global constant is not what a function has under its name`(_ start: String) {
    let body = start + "try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))"
    let global = "\nlet url = URL.documentsDirectory.appending(path: \"c.db\")"
    let version = readSource(app(body) + global).model?.currentVersion
    #expect(version != nil && version?.storeFiles["Trip"] ?? [] == [])
  }

  /// - Parameter body: what makes the containers of an app with two schemas and a custom stage.
  private func findings(_ body: String, stages: String? = nil) -> [String] {
    misfits(body, stages: stages).map { "\($0.severity) \($0.message)" }
  }

  private func misfits(_ body: String, stages: String? = nil) -> [Diagnostic] {
    let custom = ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { _ in }, didMigrate: nil)"
    let text = """
      enum V1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
        @Model final class Trip { var name: String = ""; init() {} }
      }
      enum V2: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
        @Model final class Trip { var title: String = ""; init() {} }
      }
      @Model final class Stop { var name: String = ""; init() {} }
      @Model final class Draft { var name: String = ""; init() {} }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [\(stages ?? custom)] }
      }
      struct Main { func open() throws { \(body) } }
      """
    return (readSource(text).model?.gateFindings ?? []).filter { $0.code.description == "MC2618" }
  }

  @Test(arguments: [
    "try ModelContainer(for: V2.Trip.self, Stop.self, migrationPlan: Plan.self)",
    "try ModelContainer(for: Schema(versionedSchema: V2.self), migrationPlan: Plan.self)",
    "let schema = Schema(V2.models)\n try ModelContainer(for: schema, migrationPlan: Plan.self)",
    // What others do in tests and previews, and what cannot be read.
    "try ModelContainer(for: V2.Trip.self, migrationPlan: Plan.self)\n try ModelContainer(for: Schema(versionedSchema: V1.self), migrationPlan: Plan.self)",
    "try ModelContainer(for: Schema(versionedSchema: V1.self), migrationPlan: Plan.self)\n try ModelContainer(for: newest(), migrationPlan: Plan.self)",
    "try ModelContainer(for: Schema(versionedSchema: V1.self), migrationPlan: Plan.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))",
    "try ModelContainer(for: V2.Trip.self)\n try ModelContainer(for: V2.Trip.self, migrationPlan: plan)",
    "try ModelContainer(for: Draft.self)", "try ModelContainer(for: all)", "",
    // An app of documents, and a cache of its own.
    "DocumentGroup(editing: .trip, migrationPlan: Plan.self) { Main() }; try ModelContainer(for: V2.Trip.self)",
  ])
  func `containers that fit the plan, or may, are no finding`(_ body: String) {
    #expect(findings(body) == [])
  }

  @Test func `a container that does not fit the plan is an error`() {
    let plan = ", migrationPlan: Plan.self)"
    let former = "error the container opens stores with 'V1', and 'Plan' leads to 'V2'"
    #expect(findings("try ModelContainer(for: Schema(versionedSchema: V1.self)\(plan)") == [former])
    #expect(findings("try ModelContainer(for: V1.Trip.self\(plan)") == [former])
    let unknown = "the container lists 'Draft', which 'V2' does not have"
    let lists = "let schema = Schema([V2.Trip.self, Draft.self]); try ModelContainer(for: schema\(plan)"
    #expect(findings(lists) == ["error \(unknown)"])
    #expect(findings(lists, stages: "") == ["warning \(unknown)"])
    // With the newest classes, one of an older schema makes a schema of its own.
    let mixed = "try ModelContainer(for: V2.Trip.self, Stop.self, V1.Trip.self\(plan)"
    #expect(findings(mixed) == ["error the container lists 'V1.Trip', which 'V2' does not have"])
    let advice =
      "remove 'V1.Trip' from the container, or open it with `Schema(versionedSchema: V2.self)`"
    let unstaged = misfits(mixed, stages: "")
    #expect(unstaged.flatMap(\.help) == [advice])
    #expect(
      unstaged.flatMap(\.notes).map(\.message) == [
        "its stores are of no schema of the plan: they are not checked"
      ])
    func constant(_ schema: String) -> [String] {
      findings(
        "try ModelContainer(for: Schema(versionedSchema: Self.newest)\(plan) }; static let newest: any VersionedSchema.Type = \(schema).self; func more() { "
      )
    }
    #expect(constant("V1") == [former])
    #expect(constant("V2") == [])
    let lacks = "the container opens stores without 'Stop', which 'V2' has"
    #expect(findings("try ModelContainer(for: V2.Trip.self\(plan)") == ["error \(lacks)"])
    #expect(findings("try ModelContainer(for: V2.Trip.self\(plan)", stages: "") == ["warning \(lacks)"])
    // Of several, in whatever order they are read, one is named.
    let parts = ["V2.Trip.self", "Stop.self"].map { "try ModelContainer(for: \($0)\(plan)" }
    let named = [parts, parts.reversed()].map { findings($0.joined(separator: "\n ")) }
    #expect(named == [["error the container opens stores without 'Trip', which 'V2' has"], named[0]])
    let unused = "error no container uses the plan 'Plan', so its custom stages never run"
    #expect(findings("try ModelContainer(for: V2.Trip.self)") == [unused])
    #expect(findings("try ModelContainer(for: V2.Trip.self, migrationPlan: nil)") == [unused])
    #expect(findings("Text(\"\").modelContainer(for: [V2.Trip.self, Stop.self])") == [unused])
    let inferred = ".lightweight(fromVersion: V1.self, toVersion: V2.self)"
    #expect(findings("try ModelContainer(for: V2.Trip.self)", stages: inferred) == [])
    // A widget may open the app's store first.
    let whole = "try ModelContainer(for: V2.Trip.self, Stop.self"
    let bare = "warning this container opens stores without 'Plan', which another one of the same store uses"
    #expect(findings("\(whole)\(plan)\n \(whole))") == [bare])
    #expect(findings("\(whole)\(plan)\n \(whole), configurations: ModelConfiguration(\"Other\"))") == [])
    #expect(findings("\(whole)\(plan)\n \(whole))", stages: inferred) == [])
  }
}
