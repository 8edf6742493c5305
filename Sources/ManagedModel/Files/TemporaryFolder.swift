package import Foundation

/// A new folder that only its owner can look into: mode 0700, with a random name from the system.
///
/// Every temporary file of modelc lies in one. ``remove()`` removes it; a program that a signal ends calls
/// ``removeAll()`` first.
package struct TemporaryFolder: Hashable, Sendable {
  package let path: String

  /// The folder of all temporary files.
  package static var system: URL { FileManager.default.temporaryDirectory }

  package var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

  /// - Parameters:
  ///   - purpose: one word for the folder's name: `modelc-<purpose>-XXXXXX`.
  ///   - folder: where it is made; the system's temporary folder without it.
  ///   - keeps: whether it stays when the program ends, because the user is told its path.
  /// - Throws: ``DiagnosticsError`` with MC5304 where the system's cannot be written, `CocoaError` where another cannot.
  package init(_ purpose: String, in folder: URL? = nil, keeps: Bool = false) throws {
    let base = (folder ?? Self.system).appending(path: "modelc-\(purpose)-XXXXXX").path
    // Made and entered in one step, so that a signal finds each of them.
    path = try opened.withLock { paths in
      var template = base.utf8CString
      let made: String? = unsafe template.withUnsafeMutableBufferPointer { name in
        guard let start = name.baseAddress, unsafe mkdtemp(start) != nil else { return nil }
        return unsafe String(cString: start)
      }
      guard let made else {
        let cause = NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
        if folder == nil {
          throw DiagnosticsError(
            .readOnlyStore,
            "no temporary folder can be made in '\(Self.system.path)': \(systemReason(of: cause).lowercased())",
            notes: ["no store was changed"], help: ["set TMPDIR to a folder that you may write to"])
        }
        throw CocoaError(
          .fileWriteUnknown, userInfo: [NSFilePathErrorKey: base, NSUnderlyingErrorKey: cause])
      }
      if !keeps { paths.insert(made) }
      return made
    }
  }

  package func remove() {
    try? FileManager.default.removeItem(atPath: path)
    _ = opened.withLock { $0.remove(path) }
  }

  /// Removes those that are still there; what opened them is not asked.
  package static func removeAll() {
    for path in opened.withLock({ $0 }) {
      // Another thread may be writing into it just now, and what is not empty is not removed: then it is tried again.
      for _ in 0..<20 where FileManager.default.fileExists(atPath: path) {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }
}

/// Runs the body with a temporary folder, which is removed afterwards.
package func withTemporaryFolder<Result>(
  _ purpose: String, _ body: (TemporaryFolder) throws -> Result
) throws -> Result {
  let folder = try TemporaryFolder(purpose)
  defer { folder.remove() }
  return try body(folder)
}

private let opened = Locked<Set<String>>([])

extension Diagnostic.Code { package static let readOnlyStore = Self("MC5304") }
