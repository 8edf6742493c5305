import Foundation
import ManagedModel
import ModelFormats
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
      guard let known = String(data: data, encoding: .utf8) else {
        throw UsageError(
          .fileUnreadable, "'\(path)' is not UTF-8, so that no section can be added to it",
          notes: ["nothing was written"],
          help: ["save it as UTF-8, and run the command again"])
      }
      text = known
    }
    var values = ["skill": skill, "models": "", "begin": "modelc version new", "what": "begins the next one"]
    if isModelsFolderGiven {
      // The commands run in the project's folder.
      let isBelow = modelsFolder.hasPrefix(folder + "/")
      let place = isBelow ? String(modelsFolder.dropFirst(folder.count + 1)) : modelsFolder
      let models = " --models \(place.shellWord)"
      values["models"] = models
      values["begin"] = "modelc version new\(models)"
      if modelsFolder.isSwiftSource {
        values["begin"] = "modelc release\(models) --from-tags '*' --freeze FILE"
        values["what"] = "keeps it as a schema of its own"
      }
    }
    return [
      ProjectFile(path: join(folder, skill), text: Self.skill(values)),
      ProjectFile(path: path, text: text.withSection("agents-section.md".filledFile(values))),
    ]
  }

  static let sectionStart = "<!-- modelc: begin -->"
  static let sectionEnd = "<!-- modelc: end -->"

  private static func skill(_ values: [String: String]) -> String {
    let questions = AgentQuestion.all.map { question in
      let models = question.isOfProject ? values["models"] : nil
      return "| \(question.question) | `\(question.example)\(models ?? "")` |"
    }
    var values = values
    values["questions"] = questions.joined(separator: "\n")
    values["codes"] = exitCodes.map { "- \($0.code): \($0.meaning)" }.joined(separator: "\n")
    return "SKILL.md".filledFile(values)
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
