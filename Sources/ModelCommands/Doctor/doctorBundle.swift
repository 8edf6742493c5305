import Foundation
import ManagedModel

/// What may not stand in a report for others.
struct DoctorMask {
  /// What is found, and what stands in its place; longer ones first.
  private let replacements: [(old: String, new: String)]

  /// - Parameter folder: the project's.
  init(folder: String) {
    let environment = ProcessInfo.processInfo.environment
    let files = FileManager.default
    let project = URL(filePath: folder).standardizedFileURL
    var found = [
      (project.path, "<project>"), (project.resolvingSymlinksInPath().path, "<project>"),
      (files.currentDirectoryPath, "<here>"), (TemporaryFolder.system.path, "<temporary>"),
      (environment["XDG_CACHE_HOME"] ?? "", "<cache>"), (environment["HOME"] ?? "", "~"),
      (NSHomeDirectory(), "~"), (ProcessInfo.processInfo.hostName, "<host>"), (NSUserName(), "<user>"),
      (environment["USER"] ?? "", "<user>"), (environment["LOGNAME"] ?? "", "<user>"),
    ]
    // Short ones stand in words that say nothing of the user.
    found.removeAll { $0.0.count < 4 || ["root", "localhost"].contains($0.0) }
    replacements = found.sorted { $0.0.utf8.count > $1.0.utf8.count }
  }

  func callAsFunction(_ text: String) -> String {
    replacements.reduce(text) { $0.replacingBytes(of: $1.old, with: $1.new) }
  }
}

extension DoctorReport {
  /// The same without what is the user's own.
  ///
  /// - Parameter showsNames: whether names of models, versions and entities stay.
  func masked(_ mask: DoctorMask, showsNames: Bool) -> DoctorReport {
    var report = self
    for index in checks.indices {
      let check = checks[index]
      if !showsNames { report.checks[index].summary = check.maskedSummary ?? check.summary }
      report.checks[index].summary = mask(report.checks[index].summary)
      report.checks[index].advice = check.advice.map { mask($0) }
      report.checks[index].facts = check.facts.filter { showsNames || !$0.isPrivate }
        .map { .init(name: $0.name, value: $0.value.mapStrings { mask($0) }) }
    }
    return report
  }

  /// A report for others in Markdown.
  func markdown(showsNames: Bool) -> String {
    let rows = checks.map { "| \($0.state.rawValue) | \($0.name) | \($0.summary.markdownText) |" }
    let fence = String(repeating: "`", count: 3)
    return """
      # modelc doctor

      \(bundleContents(showsNames: showsNames))

      | state | what | found |
      |---|---|---|
      \(rows.joined(separator: "\n"))

      \(fence)json
      \(json.prettyPrinted)
      \(fence)

      """
  }
}

/// What a report for others holds, in a sentence each.
func bundleContents(showsNames: Bool) -> String {
  let names =
    showsNames ? "names of models, versions and entities" : "no names of models, versions or entities"
  return
    "It holds versions, file systems, limits, numbers and \(names). It holds no content of files, no values of "
    + "variables, and neither the user's nor the machine's name; folders are shortened."
}
