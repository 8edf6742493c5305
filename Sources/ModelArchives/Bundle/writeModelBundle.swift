package import Foundation
package import ManagedModel

extension VersionedModel {
  /// Writes a compiled model, `<Name>.momd`, that Core Data and ``readModelBundle(at:)`` read.
  ///
  /// The same model gives the same bytes. The bundle is written beside its place and moved there whole; what was
  /// there before is only replaced if it is a compiled bundle too.
  ///
  /// - Parameter url: where the bundle shall be; its name ends in `.momd`.
  /// - Throws: `DiagnosticsError` with MC2107 (a version's name), MC2205 (not a bundle's place) or MC2206 (the disk).
  package func writeBundle(to url: URL) throws {
    let files = try bundleFiles()
    guard url.pathExtension == "momd" else {
      throw DiagnosticsError(
        .noBundlePlace, "'\(url.relativePath)' is not a valid name for a compiled model",
        help: ["give it a name that ends in '.momd'"])
    }
    guard !exists(url) || isModelBundle(url) else {
      throw DiagnosticsError(.occupiedPlace(url.relativePath, of: "a compiled model"))
    }
    do {
      try replaceFolder(at: url) { side in
        try FileManager.default.createDirectory(at: side, withIntermediateDirectories: true)
        let errors = concurrentMap(files) { file -> (any Error)? in
          do { try createFile(file.content, at: side.appending(path: file.name).path) } catch { return error }
          return nil
        }
        if let error = errors.compactMap(\.self).first { throw error }
      }
    } catch {
      throw DiagnosticsError(.unwritableBundle(url.relativePath, error))
    }
  }

  /// Says whether a compiled bundle is what `writeBundle(to:)` would write: no diagnostics where it is,
  /// MC2201 with the differing files where it is not.
  package func checkBundle(at url: URL) throws -> [Diagnostic] {
    let files = try bundleFiles()
    var notes: [Diagnostic.Note] = []
    guard exists(url) else { return [.outdatedBundle(url.relativePath, notes: ["it does not exist"])] }
    for file in files {
      switch try? Data(contentsOf: url.appending(path: file.name)) {
      case nil: notes.append("'\(file.name)' is missing")
      case file.content?: break
      case .some: notes.append("'\(file.name)' differs")
      }
    }
    let expected = Set(files.map(\.name))
    let present = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    for name in present.sorted() where !expected.contains(name) { notes.append("'\(name)' is not needed") }
    return notes.isEmpty ? [] : [.outdatedBundle(url.relativePath, notes: notes)]
  }
}

private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

/// Whether a folder holds nothing but what a compiled bundle holds.
private func isModelBundle(_ url: URL) -> Bool {
  guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else { return false }
  return names.allSatisfy { name in
    name == versionInfoName || name == ".DS_Store"
      || [".mom", ".omo"].contains { name.hasSuffix($0) }
  }
}

extension Diagnostic.Code {
  /// A compiled bundle does not match its sources.
  package static let outdatedBundle = Self("MC2201")
  /// A compiled bundle or a package would go where something else is.
  package static let noBundlePlace = Self("MC2205")
  /// A compiled bundle or a package cannot be written.
  package static let unwritableBundle = Self("MC2206", exit: .environment)
}

extension Diagnostic {
  fileprivate static func outdatedBundle(_ file: String, notes: [Note]) -> Diagnostic {
    Diagnostic(
      .outdatedBundle, .error, "the compiled model '\(file)' does not match its sources", notes: notes,
      help: ["`modelc compile` writes it again"])
  }

  package static func unwritableBundle(_ file: String, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .unwritableBundle, .error, "'\(file)' cannot be written",
      notes: [Note(systemReason(of: error)), "nothing was replaced"],
      help: ["check the folder's permissions and the free space"])
  }

  package static func occupiedPlace(_ file: String, of what: String) -> Diagnostic {
    Diagnostic(
      .noBundlePlace, .error, "'\(file)' contains something other than \(what)",
      notes: ["nothing was replaced"], help: ["choose another place, or move the existing file away"])
  }
}
