import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import PersistentStore
import SwiftDataModels

/// modelc itself, the machine, and the libraries that it runs with.
func programChecks() -> [DoctorCheck] {
  let libraries = DoctorCheck(
    "libraries", "libyaml \(libyamlVersion), zlib \(zlibVersionInUse)",
    ["libyaml": .string(libyamlVersion), "zlib": .string(zlibVersionInUse)])
  return [programCheck(), machineCheck(), sqliteCheck(.current), libraries]
}

private func programCheck() -> DoctorCheck {
  DoctorCheck(
    "modelc",
    "\(programVersion), built with Swift \(compilerVersion)\(isDebugBuild ? ", for debugging" : "")"
      + (parsesSwift ? ", reads SwiftData" : ", without SwiftData"),
    [
      "version": .string(programVersion), "swift": .string(compilerVersion), "debug": .boolean(isDebugBuild),
      "swiftData": .boolean(parsesSwift),
    ])
}

private var isDebugBuild: Bool {
  #if DEBUG
    true
  #else
    false
  #endif
}

/// Of the compiler that built this program, as far as it says.
private var compilerVersion: String {
  #if compiler(>=6.4)
    "6.4 or later"
  #elseif compiler(>=6.3)
    "6.3"
  #else
    "6.2"
  #endif
}

private func machineCheck() -> DoctorCheck {
  let process = ProcessInfo.processInfo
  let (system, kernel, architecture) = (
    process.operatingSystemVersionString, systemName(\.release), systemName(\.machine)
  )
  return DoctorCheck(
    "machine",
    "\(system), \(architecture), \(counted(process.processorCount, "CPU")), "
      + Int64(clamping: process.physicalMemory).humanSize,
    [
      "system": .string(system), "kernel": .string(kernel), "architecture": .string(architecture),
      "processors": JSONValue(process.processorCount),
      "memoryBytes": .integer(Int64(clamping: process.physicalMemory)),
    ])
}

/// A field of uname(2), other than the machine's own name.
private func systemName<Field>(_ field: KeyPath<utsname, Field>) -> String {
  var names = utsname()
  guard unsafe uname(&names) == 0 else { return "unknown" }
  return unsafe withUnsafeBytes(of: names[keyPath: field]) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

private func sqliteCheck(_ facts: SQLiteFacts) -> DoctorCheck {
  var check = DoctorCheck(
    "sqlite", "SQLite \(facts.version)" + (facts.isThreadSafe ? ", thread-safe" : ""),
    [
      "version": .string(facts.version), "threadSafe": .boolean(facts.isThreadSafe),
      "options": JSONValue(facts.options),
    ])
  if !facts.isThreadSafe {
    check.complain(
      .problem, "it was built without threads (THREADSAFE=0)", "install the system's own SQLite library")
  }
  // DROP COLUMN came with 3.35.
  if facts.number < 3_035_000 { check.complain(.problem, "it is too old", "install SQLite 3.35 or later") }
  let omitted = facts.options.filter { $0.hasPrefix("OMIT_") && neededParts.contains($0) }
  if !omitted.isEmpty {
    check.complain(
      .problem, "it lacks \(omitted.joined(separator: ", "))", "install the system's own SQLite library")
  }
  return check
}

/// What a library of SQLite may have been built without, and modelc uses.
private let neededParts: Set = [
  "OMIT_ALTERTABLE", "OMIT_ATTACH", "OMIT_CTE", "OMIT_PRAGMA", "OMIT_SUBQUERY", "OMIT_TRIGGER", "OMIT_VIEW",
  "OMIT_WAL", "OMIT_WINDOWFUNC", "OMIT_INTEGRITY_CHECK", "OMIT_TEMPDB",
]

/// Git, the terminal, the environment and the limits of this process.
///
/// - Parameter width: the terminal's.
func surroundingChecks(_ folder: String, width: Int?, variables: [String]) -> [DoctorCheck] {
  [gitCheck(GitState(of: folder)), terminalCheck(width), environmentCheck(variables), limitCheck()]
}

private func gitCheck(_ state: GitState) -> DoctorCheck {
  var check = DoctorCheck(
    "git", state.version.map { "git \($0)" } ?? "", ["version": JSONValue(state.version)])
  guard state.version != nil else {
    check.complain(
      .warning, "no git", "install git: `--against REV`, `release --from-tags` and REV:path need it")
    return check
  }
  switch state.repository {
  case .none:
    check.summary += ", no repository here"
    check.add(["repository": "none"])
  case .present(let isShallow):
    check.summary += isShallow ? "" : ", a repository"
    check.add(["repository": isShallow ? "shallow" : "whole"])
    if isShallow {
      check.complain(.warning, "a shallow clone: history and tags are missing", wholeHistoryHelp[0])
    }
  case .refused(let top):
    check.add(["repository": "refused"])
    check.complain(
      .warning, "it does not read the repository here",
      "if you trust it: `git config --global --add safe.directory \(top.shellWord)`")
  }
  return check
}

private func terminalCheck(_ width: Int?) -> DoctorCheck {
  let environment = ProcessInfo.processInfo.environment
  let isTerminal = isatty(STDOUT_FILENO) == 1
  let hasColor = ColorMode.auto.usesColor(isTerminal: isTerminal, environment: environment)
  return DoctorCheck(
    "terminal",
    (isTerminal ? "a terminal" : "no terminal") + (width.map { " of \($0) columns" } ?? "")
      + (hasColor ? ", with colors" : ", without colors"),
    ["terminal": .boolean(isTerminal), "columns": JSONValue(width), "color": .boolean(hasColor)])
}

/// Which variables are set; their values are the user's.
private func environmentCheck(_ names: [String]) -> DoctorCheck {
  let environment = ProcessInfo.processInfo.environment
  let git = environment.keys.filter { $0.hasPrefix("GIT_") || $0.hasPrefix("SQLITE_") }.sorted()
  let set = names.filter { environment[$0]?.isEmpty == false } + git
  var check = DoctorCheck(
    "environment", set.isEmpty ? "none of note" : set.joined(separator: ", "), ["set": JSONValue(set)])
  if environment["GIT_DIR"] != nil {
    check.complain(
      .warning, "GIT_DIR leads git elsewhere", "unset GIT_DIR if the project's repository is meant")
  }
  return check
}

private func limitCheck() -> DoctorCheck {
  let files = unsafe limit { unsafe getrlimit(resources.files, $0) }
  let size = unsafe limit { unsafe getrlimit(resources.size, $0) }
  var check = DoctorCheck(
    "limits",
    "\(files.map { grouped($0) } ?? "any number of") open files, files of \(size.map(\.humanSize) ?? "any size")",
    ["openFiles": files.map { .integer($0) } ?? .null, "fileBytes": size.map { .integer($0) } ?? .null])
  if let files, files < 64 {
    check.complain(files < 24 ? .problem : .warning, "few open files", "raise it: ulimit -n 1024")
  }
  if let size {
    check.complain(
      size < 1_000_000 ? .problem : .warning, "a file may not grow", "raise it: ulimit -f unlimited")
  }
  return check
}

/// Nil if there is none.
private func limit(_ get: (UnsafeMutablePointer<rlimit>) -> CInt) -> Int64? {
  var limit = rlimit()
  guard unsafe get(&limit) == 0, limit.rlim_cur < UInt64(Int64.max) else { return nil }
  return Int64(clamping: limit.rlim_cur)
}

#if os(Linux)
  private let resources = (
    files: __rlimit_resource_t(RLIMIT_NOFILE.rawValue), size: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
  )
#else
  private let resources = (files: RLIMIT_NOFILE, size: RLIMIT_FSIZE)
#endif
