import Dispatch
package import Foundation
package import ManagedModel

/// What a run of git left: whether it was ended, because it wrote more than was asked for, or took longer, and what it said
/// to standard error, in English.
package typealias GitRun = (status: Int32, output: Data, isCut: Bool, message: String)

/// Runs git without a shell in the working folder, and reads what it writes.
///
/// Names of revisions and paths never stand among the arguments: they go through `input`, where nothing can be taken
/// for an option. Git may not fetch, ask, or run a program; and a folder that merely looks like a repository (`HEAD`,
/// `objects`, `refs`, which anyone can commit) is none.
///
/// - Parameters:
///   - folder: another one to run in.
///   - limit: bytes of its output; it is ended where it writes more.
///   - seconds: it is ended where it takes longer.
/// - Throws: `DiagnosticsError` with MC0014 where there is no git.
package func runGit(
  _ arguments: [String], input: String = "", in folder: String? = nil, limit: Int = 1 << 20,
  seconds: Double? = nil
) throws(DiagnosticsError) -> GitRun {
  guard let git = gitExecutable else { throw DiagnosticsError(.noGit()) }
  do {
    return try run(git, arguments, input, in: folder, limit: limit, seconds: seconds)
  } catch {
    throw DiagnosticsError(.gitNotRun(git.path, error))
  }
}

/// What git answers, without the line end behind it; nil if it fails.
func gitAnswer(_ arguments: [String], in folder: String?) -> String? {
  guard let run = try? runGit(arguments, in: folder), run.status == 0 else { return nil }
  return String(decoding: run.output.dropLast(), as: UTF8.self)
}

private func run(
  _ git: URL, _ arguments: [String], _ input: String, in workingFolder: String?, limit: Int, seconds: Double?
) throws -> GitRun {
  try withTemporaryFolder("git") { folder in
    // Files for what would fill up while the output is read.
    let files = ["in", "err"].map { folder.url.appending(path: $0) }
    try Data(input.utf8).write(to: files[0])
    try Data().write(to: files[1])
    let process = gitProcess(git, arguments, in: workingFolder)
    let output = Pipe()
    let handles = [try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1])]
    process.standardInput = handles[0]
    process.standardOutput = output
    process.standardError = handles[1]
    try process.run()
    // Foundation on Linux keeps a process, and its handles, for ever.
    for handle in handles { try handle.close() }
    let end = seconds.map { Deadline(ending: process.processIdentifier, after: $0) }
    var (data, isCut) = try read(output.fileHandleForReading, limit: limit)
    // Signals that this program ignores the other one ignores too.
    if isCut { kill(process.processIdentifier, SIGKILL) }
    if end?.cancel() == true { isCut = true }
    process.waitUntilExit()
    try output.fileHandleForReading.close()
    let message = try FileHandle(forReadingFrom: files[1]).read(upToCount: 4096) ?? Data()
    return (
      status: process.terminationStatus, output: data, isCut: isCut,
      message: String(decoding: message, as: UTF8.self)
    )
  }
}

private func gitProcess(_ git: URL, _ arguments: [String], in folder: String?) -> Process {
  let process = Process()
  process.executableURL = git
  process.arguments = settings + arguments
  if let folder { process.currentDirectoryURL = URL(filePath: folder, directoryHint: .isDirectory) }
  var variables = ProcessInfo.processInfo.environment
  // Git's hooks run with it. Alone it makes each folder the top of a working tree.
  if variables["GIT_WORK_TREE"] == nil {
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX"] { variables[name] = nil }
  }
  process.environment = variables.merging(environment) { $1 }
  return process
}

/// Starts `git cat-file --batch` in a folder.
func startGitObjectStream(in folder: String) throws -> GitObjectStream {
  guard let git = gitExecutable else { throw DiagnosticsError(.noGit()) }
  let process = gitProcess(git, ["cat-file", "--batch"], in: folder)
  let (input, output) = (Pipe(), Pipe())
  // The file has no name any more once git has it open.
  let errors = try withTemporaryFolder("git") { folder in
    let file = folder.url.appending(path: "err")
    try Data().write(to: file)
    return try FileHandle(forUpdating: file)
  }
  process.standardInput = input.fileHandleForReading
  process.standardOutput = output.fileHandleForWriting
  process.standardError = errors
  try process.run()
  try output.fileHandleForWriting.close()
  return GitObjectStream(process, input: input, output: output.fileHandleForReading, errors: errors)
}

/// Ends a process that takes too long.
private final class Deadline: Sendable {
  private enum State { case waiting, passed, cancelled }
  private let state = Locked(State.waiting)

  init(ending process: pid_t, after seconds: Double) {
    DispatchQueue.global().asyncAfter(deadline: .now() + max(0, seconds)) { [self] in
      state.withLock { state in
        guard state == .waiting else { return }
        state = .passed
        kill(process, SIGKILL)
      }
    }
  }

  /// Whether it had passed.
  func cancel() -> Bool {
    state.withLock { state in
      if state == .waiting { state = .cancelled }
      return state == .passed
    }
  }
}

private func read(_ handle: FileHandle, limit: Int) throws -> (Data, isCut: Bool) {
  var data = Data()
  while let piece = try handle.read(upToCount: 1 << 16), !piece.isEmpty {
    data += piece
    if data.count > limit { return (data, true) }
  }
  return (data, false)
}

private let settings = [
  "--no-pager", "--no-optional-locks", "-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false",
  "-c", "core.hooksPath=/dev/null", "-c", "advice.graftFileDeprecated=false",
]

/// No protocol is allowed: a partial clone of an older git than `GIT_NO_LAZY_FETCH` would fetch what it lacks, with
/// the programs that its settings name. Objects are what their numbers say: nothing stands in for them (`refs/replace`),
/// and commits follow those that they name (`info/grafts`).
private let environment = [
  "GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": "/dev/null",
  "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0",
  "GIT_ALLOW_PROTOCOL": "",
]

/// The first `git` on the search path. A relative folder of it is passed over: it may be the project's.
private var gitExecutable: URL? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
  return path.split(separator: ":").filter { $0.utf8.first == UInt8(ascii: "/") }
    .map { URL(filePath: String($0)).appending(path: "git") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}

extension Diagnostic {
  fileprivate static func noGit() -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'git' was not found; it is needed to read a revision",
      notes: ["it is in no folder of PATH"], help: ["install git, or name a model on disk"])
  }

  static func gitNotRun(_ path: String, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'\(path)' cannot be run: \(systemReason(of: error))",
      help: ["check that git works here"])
  }
}
