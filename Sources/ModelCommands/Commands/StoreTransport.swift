import ArgumentParser
import Foundation
import ManagedModel
import PersistentStore

/// Stores that are no files here.
struct FetchOptions: ParsableArguments {
  @Option(
    help: .text(
      """
      The names are not local files: fetch each with this shell command, with {} for the name and {file} for where to \
      put it, as 'aws s3 cp {} {file}'.
      """, "command"))
  var fetch: String?

  func validate() throws { try fetch.map(StoreTransport.requirePlaces) }

  /// - Parameter put: takes back what was changed.
  func transport(put: String? = nil) -> StoreTransport? { fetch.map { StoreTransport(fetch: $0, put: put) } }
}

/// Stores that lie where only other programs reach them, as in S3: commands of the shell bring each into a temporary folder
/// and take it back.
struct StoreTransport: Sendable {
  /// With `{}` for the store's name, and `{file}` for the file here.
  let fetch: String
  let put: String?

  static func requirePlaces(in command: String) throws {
    if !command.contains("{}") || !command.contains("{file}") {
      throw ValidationError("'\(command)' needs {} for the store's name and {file} for the file here")
    }
  }

  /// Works on a store as a file, and takes it back where it was migrated: its backup first, so that one of the two is there
  /// whenever this ends.
  func carrying(_ store: String, _ work: (_ file: String) -> FleetResult) throws -> FleetResult {
    try withTemporaryFolder("store") { folder in
      // A command takes it for an option.
      if store.hasPrefix("-") { throw UsageError(.noPath(store)) }
      let name = store.lastComponent
      let file = folder.url.appending(path: ["", ".", "..", "/"].contains(name) ? "store" : name).path
      try run(fetch, store, file, Diagnostic.notFetched)
      let (files, log) = (FileManager.default, file + "-wal")
      guard files.fileExists(atPath: file) else {
        throw DiagnosticsError(.notFetched(store, "the command did not write the file '\(file)'"))
      }
      let hadLog = files.fileExists(atPath: log)
      let result = work(file)
      if let put, result.status == .migrated {
        // It takes the place of the old log, which would be read into the new store; SQLite takes it for none.
        if hadLog, !files.fileExists(atPath: log) { try createFile(Data(), at: log) }
        if let backup = result.backup {
          try run(put, store + backup.dropFirst(file.count), backup, Diagnostic.notPut)
        }
        try run(put, store, file, Diagnostic.notPut)
      }
      return result.naming(store, insteadOf: file)
    }
  }

  private func run(
    _ command: String, _ store: String, _ file: String,
    _ failure: (_ store: String, _ reason: String) -> Diagnostic
  ) throws {
    let words = command.components(separatedBy: "{file}")
      .map { $0.replacingBytes(of: "{}", with: store.shellWord) }.joined(separator: file.shellWord)
    let (status, message) = try runShell(words)
    if status != 0 {
      throw DiagnosticsError(
        failure(store, "the command ended with \(status)\(message.isEmpty ? "" : ": \(message)")"))
    }
  }
}

/// Runs a command of the shell without input; what it says on standard error comes back, its end at most.
private func runShell(_ command: String) throws -> (status: Int32, message: String) {
  try withTemporaryFolder("command") { folder in
    let errors = folder.url.appending(path: "err")
    try Data().write(to: errors)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    let handle = try FileHandle(forWritingTo: errors)
    (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
    process.standardError = handle
    try SignalWatch.during {
      try process.run()
      try handle.close()
      process.waitUntilExit()
    }
    let message = String(decoding: try Data(contentsOf: errors).suffix(500), as: UTF8.self)
    return (process.terminationStatus, message.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

extension FleetResult {
  /// The same about a store by the name that the list has for it.
  fileprivate func naming(_ name: String, insteadOf file: String) -> Self {
    var result = self
    result.store = name
    result.message = message.replacingBytes(of: file, with: name)
    result.record = record.mapStrings { $0.replacingBytes(of: file, with: name) }
    return result
  }
}

extension Diagnostic {
  fileprivate static func notFetched(_ store: String, _ reason: String) -> Self {
    Self(
      .fileUnreadable, .error, "'\(store)' was not fetched: \(reason)", notes: ["the store was not changed"],
      help: ["try the command of --fetch by itself"])
  }

  fileprivate static func notPut(_ store: String, _ reason: String) -> Self {
    Self(
      .storeWriteFailed, .error, "'\(store)' was migrated, but not put back: \(reason)",
      notes: ["the original may be in any state that the --put command left; the migrated copy is deleted"],
      help: ["try the command by itself, then run this again: it fetches the store again"])
  }
}
