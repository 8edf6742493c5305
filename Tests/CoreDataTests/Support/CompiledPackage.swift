#if canImport(CoreData)
  import CoreData
  import Foundation
  import ManagedModel
  import ModelArchives
  import ModelFormats
  import TestSupport
  import Testing

  /// A model package that is judged: one of the fixtures, or the sample of this project.
  struct JudgedPackage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var url: URL

    /// The sample comes first, so that there is something to judge where no fixture is at hand.
    static let all: [JudgedPackage] =
      [JudgedPackage(testDescription: "Trails", url: sample)]
      + Fixtures.all(withExtension: "xcdatamodeld").map {
        JudgedPackage(testDescription: $0.deletingPathExtension().lastPathComponent, url: $0)
      }

    private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Models/Trails")

    func read() -> VersionedModel? { ModelReader().read(at: url).model }

    /// Compiles it twice in a folder of its own, by `momc` and by us.
    func compiled<Result>(_ body: (CompiledPackage, URL) throws -> Result) throws -> Result {
      try withTemporaryFolder { folder in
        var package = url
        if url.pathExtension != "xcdatamodeld" {
          package = folder.appending(path: "\(testDescription).xcdatamodeld")
          _ = try #require(read()).writeXcodePackage(to: package)
        }
        return try body(CompiledPackage(package, in: folder), folder)
      }
    }
  }

  /// One package, as Apple's compiler compiles it and as we do.
  struct CompiledPackage {
    let model: VersionedModel
    private let apples: URL
    private let ours: URL

    fileprivate init(_ package: URL, in folder: URL) throws {
      let name = package.deletingPathExtension().lastPathComponent
      model = try #require(readXcodeModelPackage(at: package).model)
      apples = folder.appending(path: "Apple/\(name).momd")
      ours = folder.appending(path: "modelc/\(name).momd")
      for bundle in [apples, ours] {
        try FileManager.default.createDirectory(
          at: bundle.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      try XcodeTool.run("momc", "--no-warnings", package.path, apples.path)
      try model.writeBundle(to: ours)
    }

    /// The version as `momc` and Core Data understand Xcode's source.
    func genuine(_ version: String) throws -> NSManagedObjectModel { try open(apples, version) }

    /// The version as Core Data understands the archive that we wrote.
    func written(_ version: String) throws -> NSManagedObjectModel { try open(ours, version) }

    /// The whole bundle, which is its current version.
    func current() throws -> (genuine: NSManagedObjectModel, written: NSManagedObjectModel) {
      let genuine = try #require(NSManagedObjectModel(contentsOf: apples))
      return (genuine, try #require(NSManagedObjectModel(contentsOf: ours)))
    }

    private func open(_ bundle: URL, _ version: String) throws -> NSManagedObjectModel {
      try #require(NSManagedObjectModel(contentsOf: bundle.appending(path: "\(version).mom")), "\(version)")
    }
  }

  /// A compiler of Xcode's, found through `xcrun`.
  enum XcodeTool {
    struct Failure: Error { var tool: String, output: String }

    static func run(_ tool: String, _ arguments: String...) throws {
      let run = try CommandOutput(of: ["xcrun", tool] + arguments)
      guard run.code == 0 else { throw Failure(tool: tool, output: run.text) }
    }
  }

  extension NSManagedObjectModel {
    /// The hash of every entity, as values of ours.
    var hashes: [String: VersionHash] { entityVersionHashesByName.compactMapValues { VersionHash(data: $0) } }
  }
#endif
