import Foundation
import ManagedModel
import ReleaseChecks

extension Project {
  /// What tells an agent when to ask modelc, and how: a skill, and a section of AGENTS.md that leads to it.
  ///
  /// The rest of an AGENTS.md that is there stays as it is; a section that an earlier modelc wrote is replaced.
  func agentFiles() throws -> [ProjectFile] {
    let skill = ".agents/skills/modelc/SKILL.md"
    // Often a link to the file of another agent: that one is written.
    let link = join(folder, "AGENTS.md")
    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil
    let path = isLink ? URL(filePath: link).resolvingSymlinksInPath().path : link
    var text = ""
    if FileManager.default.fileExists(atPath: path) {
      let data = try readFile(URL(filePath: path), shownAs: path)
      guard let known = String(data: data, encoding: .utf8) else { throw UsageError(.notUTF8(path)) }
      text = known
    }
    return [
      ProjectFile(path: join(folder, skill), text: Self.skill),
      ProjectFile(path: path, text: text.withSection(Self.section(skill))),
    ]
  }

  private static func section(_ skill: String) -> String {
    """
    \(sectionStart)
    ## Core Data and SwiftData models

    Users' stores outlive their schema. After each change of a model (`.xcdatamodeld`, `Models/`, `@Model` types) or of a mapping \
    run `modelc check --against origin/main`; exit code 1 means findings, each with what to do. Never edit a version that is \
    released: `modelc version new` begins the next one. \(skill) says which command answers which question.
    \(sectionEnd)

    """
  }

  static let sectionStart = "<!-- modelc: begin -->"
  static let sectionEnd = "<!-- modelc: end -->"

  private static var skill: String {
    let questions = AgentQuestion.all.map { "| \($0.question) | `\($0.example)` |" }
    let writing = [
      ("Begin the next version of a model", "modelc version new"),
      ("Freeze what is released, with a store for tests", "modelc release V3 --fixture 1000"),
      ("Migrate a store; the old one stays as a backup", "modelc migrate Store.sqlite"),
      ("Start a mapping for a step that inference refuses", "modelc map new V2 V3"),
      ("Repair a damaged store; without --apply only planned", "modelc repair Store.sqlite"),
    ].map { "| \($0.0) | `\($0.1)` |" }
    return """
      ---
      name: modelc
      description: Answers questions about Core Data and SwiftData models and stores, and checks that a change of a model keeps \
      users' data. Use it when a model, a migration or a store (.xcdatamodeld, .momd, .sqlite, @Model) is changed or does not open.
      ---

      # modelc

      Every command takes `--format json` and `-C DIR` for the project. `modelc explain CODE` explains a finding; a command \
      that a finding prints can be run as it stands.

      ## Questions, which write nothing

      | question | command |
      |---|---|
      \(questions.joined(separator: "\n"))

      The same are tools of `modelc mcp`, a server of the Model Context Protocol.

      ## Work

      | what | command |
      |---|---|
      \(writing.joined(separator: "\n"))

      ## Exit codes

      \(exitCodes.map { "- \($0.code): \($0.meaning)" }.joined(separator: "\n"))

      ## Rules

      - A version that users have is never edited: `modelc check` refuses it (MC7001, MC7026).
      - Losing data is a decision of a person: ask before `--allow-loss`, `retired:` or `drops:`.
      - A store is never deleted to make an error go away.

      """
  }
}

extension Diagnostic {
  fileprivate static func notUTF8(_ path: String) -> Self {
    Self(
      .fileUnreadable, .error, "'\(path)' is not UTF-8, so that no section can be added to it",
      notes: ["nothing was written"], help: ["save it as UTF-8, and run the command again"])
  }
}

extension String {
  /// The text with the section in place of an earlier one, or at its end.
  fileprivate func withSection(_ section: String) -> String {
    guard let start = range(of: Project.sectionStart),
      let end = range(of: Project.sectionEnd + "\n", range: start.upperBound..<endIndex)
    else { return isEmpty ? section : self + (utf8.last == UInt8(ascii: "\n") ? "\n" : "\n\n") + section }
    return String(self[..<start.lowerBound]) + section + String(self[end.upperBound...])
  }
}
