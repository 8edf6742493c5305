import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

/// Apps that throw stores away which do not open, as they write it.
@Suite("Stores that are wiped", .readsSwift)
struct StoreWipeTests {
  private func found(_ sources: String...) -> [String] {
    (sources.enumerated().map { ($0.element, "App\($0.offset).swift") }).findStoreWipes()
      .map { "\($0.call) \($0.place.file):\($0.place.start.line) \($0.function)" }
  }

  @Test func `in the catch of a ModelContainer`() {
    #expect(
      found(
        """
        func makeContainer() -> ModelContainer {
          do {
            return try ModelContainer(for: Trip.self)
          } catch {
            let url = URL.applicationSupportDirectory.appending(path: "default.store")
            try? FileManager.default.removeItem(at: url)
            return try! ModelContainer(for: Trip.self)
          }
        }
        """) == ["removeItem App0.swift:6 makeContainer"])
  }

  @Test func `a container in files that are not read with the models is a remark`() {
    func help(_ models: String, _ files: String...) -> [String] {
      files.unreadContainers(besides: [models]).flatMap(\.help)
    }
    let advice = "name a folder that has both: `--models"
    #expect(help("App/Models", "App/App.swift", "Widget/W.swift") == ["\(advice) App`"])
    #expect(help("App/Models", "Widget/W.swift") == ["\(advice) .`"])
    #expect(help("App", "App/App.swift", "Widget/W.swift") == [])
    #expect(help("App/Models") == [])
  }

  @Test func `the folder that holds the store is all of it`() {
    #expect(
      found(
        """
        func make() throws -> ModelContainer {
          do {
            return try ModelContainer(for: Trip.self)
          } catch {
            try FileManager.default.removeItem(at: .applicationSupportDirectory)
            return try ModelContainer(for: Trip.self)
          }
        }
        """) == ["removeItem App0.swift:5 make"])
  }

  @Test(arguments: [
    "FileManager.default.temporaryDirectory.appending(path: id)", "support.appending(path: id)",
  ])
  func `a copy in the temporary folder is not the store`(_ place: String) {
    let wipes = found(
      """
      func count(in backup: URL) throws -> Int {
        let copyURL = \(place)
        do {
          return try count(ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: copyURL)))
        } catch {
          try? FileManager.default.removeItem(at: copyURL)
          throw error
        }
      }
      """)
    #expect(wipes == (place.hasPrefix("support") ? ["removeItem App0.swift:6 count"] : []))
  }

  @Test func `in a property that is called at once, over the files of a list`() {
    #expect(
      found(
        """
        @main struct TripsApp: App {
          var container: ModelContainer = {
            if let container = try? ModelContainer(for: schema) { return container } else {
              for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.moveItem(atPath: path + suffix, toPath: broken + suffix)
              }
              return try! ModelContainer(for: schema)
            }
          }()
        }
        """) == ["moveItem App0.swift:5 container"])
  }

  @Test(
    arguments: [
      "if let container = try? ModelContainer(for: Trip.self) { return container }",
      "do { return try ModelContainer(for: Trip.self) } catch { print(error) }",
    ])
  func `behind what returns where it opens`(_ opening: String) {
    #expect(
      found(
        """
        func make() -> ModelContainer {
          \(opening)
          try? FileManager.default.removeItem(at: storeURL)
          return try! ModelContainer(for: Trip.self)
        }
        """) == ["removeItem App0.swift:3 make"])
  }

  @Test func `in a function of another file that the catch calls`() {
    #expect(
      found(
        """
        func open() throws {
          do { container = try ModelContainer(for: schema, configurations: [configuration]) }
          catch { Storage.resetStore() }
        }
        """,
        """
        enum Storage {
          static func resetStore() {
            let files = FileManager.default
            try? files.removeItem(at: location)
          }
        }
        """) == ["removeItem App1.swift:4 open"])
  }

  @Test(
    arguments: [
      "do { return try open() } catch { try? files.removeItem(at: storeURL); return try! open() }",
      "do { let made: ModelContainer = try .init(for: Trip.self); return made } catch { try? files.removeItem(at: storeURL); return other }",
      "do { return try ModelContainer.init(for: Trip.self) } catch { try? files.removeItem(at: storeURL); return other }",
      "(try? ModelContainer(for: Trip.self)) ?? recreate()",
      "do { return try ModelContainer(for: Trip.self) } catch { return recover() }",
    ])
  func `however the store is opened, and two calls deep`(_ body: String) {
    let wipes = found(
      """
      func make() -> ModelContainer { \(body) }
      func open() throws -> ModelContainer { try ModelContainer(for: Trip.self) }
      func recover() -> ModelContainer { wipe(); return try! open() }
      func wipe() { try? files.removeItem(at: storeURL) }
      func recreate() -> ModelContainer { try? files.removeItem(at: storeURL); return try! open() }
      """)
    #expect(wipes.count == 1 && wipes.first?.hasSuffix(" make") == true, "\(wipes)")
  }

  @Test func `in a UIKit app with Core Data`() {
    #expect(
      found(
        """
        class AppDelegate: UIResponder {
          lazy var persistentContainer: NSPersistentContainer = {
            let container = NSPersistentContainer(name: "Trips")
            container.loadPersistentStores { description, error in
              if let error {
                try? FileManager.default.removeItem(at: description.url!)
              }
            }
            return container
          }()
        }
        """) == ["removeItem App0.swift:6 persistentContainer"])
    #expect(
      found(
        """
        func connect(_ coordinator: NSPersistentStoreCoordinator, _ url: URL) {
          do {
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
          } catch {
            try? coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
          }
        }
        """) == ["destroyPersistentStore App0.swift:5 connect"])
  }

  @Test func `not where files of something else go, or where nothing has failed`() {
    #expect(
      found(
        """
        func logOut() throws {
          try FileManager.default.removeItem(at: storeURL)
          container = try ModelContainer(for: schema)
        }
        func open() {
          do { container = try ModelContainer(for: schema) } catch {
            try? FileManager.default.removeItem(atPath: thumbnails)
            showError(error)
          }
        }
        func showError(_ error: any Error) { clearCache() }
        func clearCache() { try? FileManager.default.removeItem(at: cacheURL) }
        func unpack(_ archive: URL) throws { container = try ModelContainer(for: schema) }
        func load() { do { try unpack(archive) } catch { try? FileManager.default.removeItem(at: temporaryURL) } }
        """) == [])
  }
}
