#if canImport(CoreData)
  import CoreData
  import Foundation
  import GRDB
  import ManagedModel
  import ModelMigration
  import PersistentStore
  import TestSupport
  import Testing

  /// Two versions that follow each other in a package, or its first and its last.
  struct JudgedStep: Sendable, CustomTestStringConvertible {
    var package: JudgedPackage
    var from: String
    var to: String

    var testDescription: String { "\(package.testDescription): \(from) → \(to)" }

    static let all: [JudgedStep] = JudgedPackage.all.flatMap { package -> [JudgedStep] in
      let names = package.read()?.versions.map(\.name) ?? []
      let steps = zip(names, names.dropFirst()).map { JudgedStep(package: package, from: $0, to: $1) }
      guard names.count > 2, let first = names.first, let last = names.last else { return steps }
      return steps + [JudgedStep(package: package, from: first, to: last)]
    }
  }

  /// What came of a migration: objects, or the codes of a refusal.
  enum JudgedOutcome: Equatable {
    case objects([ManagedObject])
    case refused(Set<Int>)

    /// Runs Core Data, whose error may have others beneath it.
    init(ofCoreData body: () throws -> [ManagedObject]) {
      do { self = .objects(try body()) } catch { self = .refused(codes(of: error as NSError)) }
    }

    /// Runs modelc. What a person has to allow first is not a refusal: Core Data asks nobody.
    init(ofModelc body: () throws -> [ManagedObject]) throws {
      do {
        self = .objects(try body())
      } catch let error as MigrationRefusedError {
        let errors = error.plan.diagnostics.filter { $0.severity == .error }
        self = .refused(Set(errors.compactMap(\.cocoaCode)))
      }
    }

    var isRefusal: Bool { if case .refused = self { true } else { false } }

    /// Both go through, or both refuse and have a code in common.
    func agrees(with other: JudgedOutcome) -> Bool {
      switch (self, other) {
      case (.objects, .objects): true
      case (.refused(let mine), .refused(let theirs)): !mine.isDisjoint(with: theirs)
      default: false
      }
    }
  }

  private func codes(of error: NSError) -> Set<Int> {
    var codes: Set<Int> = []
    var current: NSError? = error
    while let cause = current, codes.insert(cause.code).inserted {
      current = cause.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return codes
  }

  /// A file that we write with objects of every entity.
  func writeStore(of version: ModelVersion, objects: [ManagedObject], at url: URL) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { db in
      _ = try createStore(in: db, version: version, objects: objects)
    }
    try queue.close()
  }

  func copyStore(_ url: URL, as name: String) throws -> URL {
    let target = url.deletingLastPathComponent().appending(path: name)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: target.path + suffix)
    }
    return target
  }
#endif
