import ManagedModel
import SwiftDataModels
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
    "let schema = Schema([Trip.self]); return try! ModelContainer(for: schema)",
    "try! ModelContainer(for: Trip.self)", "try! ModelContainer(for: Schema([Trip.self]))",
    "ContentView().modelContainer(for: [Trip.self])", "ContentView().modelContainer(for: Trip.self)",
    """
    let schema = Schema([Trip.self])
    do { return try ModelContainer(for: schema) } catch {
      return try! ModelContainer(for: schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    """,
  ])
  func `what no container lists, and no listed class reaches, is in no store`(_ body: String) {
    #expect(entities(body) == ["Trip", "Stop"])
    let remarks = readSource(app(body)).diagnostics.filter { $0.severity == .information }
    #expect(remarks.map(\.code) == [.noSwiftDataModel] && remarks[0].message.contains("Draft"))
  }

  @Test(arguments: [
    // Lists that only a run tells; previews, tests and what lives in memory.
    "let all = more(); return try! ModelContainer(for: Schema(all))", "try! ModelContainer(for: more())",
    "try! ModelContainer(for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))",
    "let own = ModelConfiguration(isStoredInMemoryOnly: true); return try! ModelContainer(for: Trip.self, configurations: own)",
    "ContentView().modelContainer(for: Trip.self, inMemory: true)", "ContentView().modelContainer(container)",
    "ContentView() }(); #Preview { ContentView().modelContainer(for: Trip.self) }; var other = {",
  ])
  func `without a list that can be read, every class counts`(_ body: String) {
    #expect(entities(body) == ["Trip", "Stop", "Draft"])
    #expect(readSource(app(body)).diagnostics.allSatisfy { $0.code != .noSwiftDataModel })
  }

  @Test func `several containers together list the classes`() {
    #expect(
      entities("try! ModelContainer(for: Trip.self) }(); var other = { try! ModelContainer(for: Draft.self)")
        == ["Trip", "Draft", "Stop"])
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
  }

  @Test func `classes of a configuration that is not mirrored are free of CloudKit's rules`() {
    let model = readSource(
      app(
        """
        let shared = Schema([Trip.self])
        let cloud = ModelConfiguration("cloud", schema: shared, cloudKitDatabase: .private("iCloud.trips"))
        let local = ModelConfiguration("local", schema: Schema([Draft.self]), cloudKitDatabase: .none)
        return try! ModelContainer(for: Trip.self, Draft.self, configurations: cloud, local)
        """)
    ).model
    #expect(model?.currentVersion?.model.sparedEntities == ["Draft"])
    #expect(model?.currentVersion?.model.profile == .cloudKit)
  }
}
