import ArgumentParser
import Foundation
import ManagedModel
import ReleaseChecks

/// How a check writes its findings, to standard output and to files.
struct CheckOutput: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, jsonl, sarif, junit, github, gitlab, markdown
  }

  @Option(
    help: ArgumentHelp(
      "How the result is written: \(Format.allValueStrings.dropLast().joined(separator: ", ")) or \(Format.allValueStrings.last ?? "")."
    ))
  var format: Format = .text

  @Option(
    help: .text(
      "Write a report to a file too, in any of those formats: sarif=out.sarif; repeatable.", "format=file"))
  var report: [String] = []

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    for report in report where Self.parse(report) == nil {
      throw ValidationError(
        "'\(report)' is not a report; one looks like sarif=out.sarif, and formats are "
          + Format.allValueStrings.joined(separator: ", "))
    }
  }

  private static func parse(_ text: String) -> (format: Format, file: String)? {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let format = Format(argument: parts[0]) else { return nil }
    return (format, parts[1])
  }

  /// For refusals and progress, as other commands write them.
  var plain: OutputOptions {
    var plain = terminal.output(json: format == .json)
    if ![.text, .github, .markdown].contains(format) { plain.terminal.quiet = true }
    return plain
  }

  /// Writes why a check was refused into every report too, as a finding.
  func reportingRefusal<Result>(_ check: () throws -> Result) throws -> Result {
    do {
      return try check()
    } catch {
      let step = CheckStep(
        kind: .release, model: "", name: "check", findings: plain.explain(error).diagnostics)
      let found = step.findings.map { CheckFinding($0, of: step) }
      // The refusal says more than that a report cannot be written.
      try? write(CheckReport(steps: [step], findings: found, models: []), isRefusal: true)
      throw error
    }
  }

  /// Refuses files that cannot be written before anything is checked.
  func requirePlaces() throws {
    for (_, file) in report.compactMap(Self.parse) {
      try file.refuseStore()
      let folder = URL(filePath: file).deletingLastPathComponent().path
      let reasons = [
        (!folder.isExistingFolder, "there is no such folder"),
        (file.hasSuffix("/") || file.isExistingFolder, "it is a folder"),
        (!FileManager.default.isWritableFile(atPath: folder), "you may not write there"),
      ]
      if let reason = reasons.first(where: { $0.0 })?.1 { throw UsageError(.reportNotWritten(file, reason)) }
    }
  }

  /// Writes the result, the files that were asked for, and the summary of a GitHub job where there is one.
  ///
  /// - Parameters:
  ///   - takesAll: whether the text holds every finding.
  ///   - isRefusal: whether text and JSON on standard output are written as other commands do.
  func write(_ report: CheckReport, takesAll: Bool = false, isRefusal: Bool = false) throws {
    var report = report
    var commands = RunContext.current.commands
    for index in report.findings.indices {
      let name = report.findings[index].model
      if report.models.count > 1 { commands.model = report.paths[name] ?? name }
      report.findings[index].diagnostic = report.findings[index].diagnostic.runnable(commands)
    }
    if !isRefusal || ![.text, .json].contains(format) {
      let shown = text(report, format, takesAll: takesAll, on: STDOUT_FILENO)
      writeTerminal(
        format == .text ? shown.fitting(on: STDOUT_FILENO) : shown, to: .standardOutput,
        isData: ![.text, .markdown].contains(format))
    }
    for (format, file) in self.report.compactMap(Self.parse) { try write(text(report, format), to: file) }
    if let summary = Self.jobSummary {
      let former = (try? String(contentsOf: URL(filePath: summary), encoding: .utf8)) ?? ""
      try write(former + text(report, .markdown), to: summary)
    }
  }

  /// The file that GitHub shows as the summary of a job.
  private static var jobSummary: String? {
    ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether a summary for a pull request is among what is written.
  var writesMarkdown: Bool {
    ([format] + report.compactMap(Self.parse).map(\.format)).contains(.markdown)
      || Self.jobSummary != nil
  }

  private func write(_ text: String, to file: String) throws {
    do {
      try ProjectFile(path: file, text: text).write(isNamed: true)
    } catch {
      throw UsageError(.reportNotWritten(file, systemReason(of: error)))
    }
  }

  /// - Parameter descriptor: nil for a file, which has colors only where they are asked for.
  private func text(
    _ report: CheckReport, _ format: Format, takesAll: Bool = false, on descriptor: Int32? = nil
  ) -> String {
    switch format {
    case .text: report.text(usesColor: terminal.color.usesColor(on: descriptor), takesAll: takesAll)
    case .json: report.json.prettyPrinted + "\n"
    case .jsonl: report.jsonLines.map { $0.compact + "\n" }.joined()
    case .sarif:
      report.fromTop.sarifReport(
        titles: Dictionary(firstOf: catalogue.map { ($0.code, $0.title) }), version: programVersion)
    case .junit: report.junitReport()
    case .github: report.fromTop.githubReport()
    case .gitlab: report.fromTop.gitlabReport()
    case .markdown: report.markdownReport()
    }
  }
}

extension Diagnostic.Code { static let reportNotWritten = Self("MC7023") }

extension Diagnostic {
  fileprivate static func reportNotWritten(_ file: String, _ reason: String) -> Self {
    Self(
      .reportNotWritten, .error, "the report '\(file)' cannot be written: \(reason)",
      help: ["name a file in an existing folder"])
  }
}
