import Foundation
import ManagedModel
import ModelFormats

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
      .warning, "GIT_DIR leads git elsewhere", "unset GIT_DIR where the project's repository is meant")
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
