import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats

struct Format: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Format version files, versions.yaml, mapping files and modelc.yaml.",
    discussion: """
      Comments stay with the same lines, and names keep their order; known keys are written in the order of the reference \
      pages. Every file is read again before it is written, so its meaning is unchanged. A file that cannot be parsed or is not one of \
      these is left unchanged and reported (exit 1); the others are still formatted.

      Changed files are printed, one a line. For a pre-commit hook: modelc format --check FILE…
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Write nothing; print the files that would change, and exit with 1 if there are any.")
  var check = false

  @Flag(help: "Write nothing; print what would change as a unified diff, and exit with 1 if anything would.")
  var diff = false

  @Option(
    name: .customLong("stdin-filename"),
    help: .text("With -: the path of the text's file; its name may say what kind of file it is.", "path"))
  var inputName: String?

  @Argument(
    help: .text(
      "Files, folders, or - for standard input to standard output; by default the project's files.", "path"))
  var paths: [String] = []

  private var readsInput: Bool { paths.contains("-") }

  func validate() throws {
    try refuse(readsInput && paths.count > 1, "'-' takes no other paths")
    try refuse(
      readsInput && output.writesJSON, "'-' writes the text; it cannot be combined with '--format json'")
    try refuse(paths.contains(""), "a path is empty")
    try refuse(inputName != nil && !readsInput, "'--stdin-filename' needs '-'")
    try refuse(check && diff, "'--diff' exits like '--check'; name one of the two")
  }

  func work() throws { try readsInput ? formatInput() : formatFiles() }

  private func formatFiles() throws {
    let project = project.project
    var files = try project.formattedPaths(paths).compactMap { FormattedFile($0, of: project) }
    if !check, !diff { for index in files.indices { files[index].write { output.explain($0).diagnostics } } }
    let findings = files.flatMap(\.diagnostics)
    output.report(findings)
    let changed = files.filter { $0.state == .written || $0.state == .differs }
    let texts = diff ? changed.compactMap { $0.edit.map { difference($0.before, $0.after, $0.path) } } : []
    if output.writesJSON {
      let diff = diff ? texts.map { String(decoding: $0, as: UTF8.self) }.joined() : nil
      output.print(Self.result.json(of: (files, diff, findings)))
    } else if diff {
      writeBytes(texts.reduce(Data(), +))
    } else if !changed.isEmpty {
      output.print(changed.map(\.path).shownLines)
    }
    output.say(summary(files))
    let hasDifferences = changed.contains { $0.state == .differs }
    let status = max(exitStatus(for: findings), hasDifferences || findings.hasErrors ? 1 : 0)
    if status != 0 { throw ExitCode(status) }
  }

  private func summary(_ files: [FormattedFile]) -> String {
    let states: [(FormattedFile.State, words: String)] = [
      (.written, "formatted"), (.differs, "would change"), (.failed, "left alone"), (.unchanged, "unchanged"),
    ]
    let parts = states.compactMap { state, words -> String? in
      let count = files.count { $0.state == state }
      return count == 0 ? nil : "\(counted(count, "file")) \(words)"
    }
    return parts.isEmpty ? "no files to format" : parts.joined(separator: ", ")
  }

  private func formatInput() throws {
    let name = inputName ?? "<stdin>"
    let before = try FileHandle.standardInput.read(upToCount: largestSourceFile + 1) ?? Data()
    let after = try formatFile(before, file: name) ?? before
    if !check { writeBytes(diff ? difference(before, after, name) : after) }
    if check || diff, after != before { throw ExitCode(1) }
  }

  private func difference(_ before: Data, _ after: Data, _ path: String) -> Data {
    unifiedDiff(from: before, to: after, path: path.printable)
  }

  static let result = JSONObject<(files: [FormattedFile], diff: String?, findings: [Diagnostic])>(
    "formatted", "The files that were looked at."
  ).adding([
    "files": .value(\.files), "diff": .optional(\.diff, "With --diff: a unified diff."),
    "diagnostics": .diagnostics(\.findings),
  ])
}
