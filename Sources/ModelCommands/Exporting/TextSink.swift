import ArgumentParser
import Foundation
import ManagedModel
import PersistentStore

/// Standard output, or a new file, which exists only once it is complete.
final class TextSink {
  /// With what it is called until then: an ended program leaves no file that looks complete.
  private let file: (path: String, privateName: String)?
  private var handle: FileHandle
  private var buffer = Data()

  /// - Parameter path: nil for standard output. An existing file is refused.
  init(_ path: String?) throws {
    file = path.map { ($0, privatePath(besides: $0)) }
    handle = .standardOutput
    guard let (path, privateName) = file else { return }
    guard !FileManager.default.fileExists(atPath: path) else { throw UsageError(.taken(path)) }
    try path.refuseStore()
    try path.requireFolder()
    UnfinishedFiles.add(privateName)
    try reportingFailure {
      try createFile(Data(), at: privateName)
      handle = try FileHandle(forWritingTo: URL(filePath: privateName))
    }
  }

  /// What is not finished by then is removed.
  deinit {
    guard let privateName = file?.privateName else { return }
    try? FileManager.default.removeItem(atPath: privateName)
    UnfinishedFiles.forget(privateName)
  }

  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 1 << 16 { try flush() }
  }

  func finish() throws {
    try flush()
    guard let (path, privateName) = file else { return }
    try reportingFailure {
      try handle.close()
      try FileManager.default.moveItem(atPath: privateName, toPath: path)
    }
  }

  private func flush() throws {
    try reportingFailure { try writeAll(buffer, to: handle.fileDescriptor) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// The private name is nothing that anybody typed.
  private func reportingFailure(of body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      // Whoever read has seen enough.
      if file == nil, (error as NSError).code == EPIPE { throw ExitCode.success }
      throw DiagnosticsError(.unwritten(file.map { "'\($0.path)'" } ?? "standard output", error))
    }
  }
}

extension Diagnostic {
  static func taken(_ path: String) -> Self {
    Self(.wouldOverwrite, .error, "'\(path)' already exists", help: ["name a file that does not exist yet"])
  }
}
