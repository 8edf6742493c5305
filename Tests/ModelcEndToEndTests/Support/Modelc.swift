import Dispatch
import Foundation
import Testing

/// The built `modelc`, run as a user runs it.
struct Modelc {
  /// What a run left: its exit code and everything it wrote.
  struct Run {
    var arguments: [String]
    var code: Int32
    var stdout: String
    var stderr: String

    /// What it wrote to standard error, with commands as somebody reads them who has it on the PATH.
    var plainMessages: String { stderr.replacing(Modelc.executable.path, with: "modelc") }
  }

  /// In seconds; a run that takes longer is ended, and the test with it.
  static let timeout = 60.0

  struct TimedOut: Error { var arguments: [String] }

  /// Beside the test binary: SwiftPM puts all products of a package in one folder.
  static let executable: URL = {
    let binary = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    return (binary ?? URL(filePath: CommandLine.arguments[0])).deletingLastPathComponent()
      .appending(path: "modelc")
  }()

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - folder: the working folder.
  ///   - environment: variables in addition to those of the test; an empty value removes one.
  ///   - user: another user's number to run as, where this is run by root.
  @discardableResult
  static func run(
    _ arguments: String..., in folder: URL, environment: [String: String] = [:], asUser user: Int? = nil
  ) throws -> Run {
    try run(arguments, in: folder, environment: environment, asUser: user)
  }

  /// - Parameter input: the file that it reads as standard input; nothing without one.
  @discardableResult
  static func run(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:], asUser user: Int? = nil,
    input: URL? = nil
  ) throws -> Run {
    // Files instead of pipes: nothing has to be read while it runs, and nothing can fill up.
    try withTemporaryFile { stdout in
      try withTemporaryFile { stderr in
        let process = Process()
        process.executableURL = user == nil ? executable : URL(filePath: "/usr/bin/env")
        process.arguments =
          (user.map { ["setpriv", "--reuid=\($0)", "--clear-groups", executable.path] } ?? []) + arguments
        process.currentDirectoryURL = folder
        // Tests leave nothing in the user's own cache.
        let cache = [
          "XDG_CACHE_HOME": FileManager.default.temporaryDirectory.appending(path: "modelc-cache").path
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(cache) { $1 }
          .merging(environment) { $1 }
          .filter { !$0.value.isEmpty }
        let inputHandle = try input.map { try FileHandle(forReadingFrom: $0) }
        process.standardInput = inputHandle ?? FileHandle.nullDevice
        let handles = [try FileHandle(forWritingTo: stdout), try FileHandle(forWritingTo: stderr)]
        process.standardOutput = handles[0]
        process.standardError = handles[1]
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        // Foundation on Linux keeps a process, and its handles, for ever; from 1,365 open files on it may read beyond
        // its list of them.
        for handle in handles + [inputHandle].compactMap(\.self) { try handle.close() }
        if ended.wait(timeout: .now() + timeout) == .timedOut {
          process.terminate()
          throw TimedOut(arguments: arguments)
        }
        let run = Run(
          arguments: arguments,
          code: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
          stdout: String(decoding: try Data(contentsOf: stdout), as: UTF8.self),
          stderr: String(decoding: try Data(contentsOf: stderr), as: UTF8.self))
        holdResult(run)
        return run
      }
    }
  }

  private static func withTemporaryFile<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: "modelc-output-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file)
  }
}

extension Modelc.Run: CustomStringConvertible {
  var description: String {
    "modelc \(arguments.joined(separator: " ")) → \(code)\n\(stdout)\(stderr)"
  }

  /// The codes of the errors that were written to standard error, in order.
  var errors: [String] { stderr.matches(of: #/error\[(MC[0-9]{4})\]/#).map { String($0.output.1) } }

  /// Standard output as one JSON document of the type.
  func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(stdout.utf8))
    } catch {
      Issue.record("no such JSON: \(error)\n\(self)")
      throw error
    }
  }
}

/// Expects that the run succeeded without a finding.
func expectSuccess(_ run: Modelc.Run, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(run.code == 0, "\(run)", sourceLocation: sourceLocation)
  #expect(run.errors == [], "\(run)", sourceLocation: sourceLocation)
}

/// Expects one error on standard error, its exit code, and nothing on standard output.
func expectRefusal(
  _ run: Modelc.Run, _ code: String, exit: Int32, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(run.errors == [code], "\(run)", sourceLocation: sourceLocation)
  #expect(run.code == exit, "\(run)", sourceLocation: sourceLocation)
  #expect(run.stdout.isEmpty, "\(run)", sourceLocation: sourceLocation)
}
