import EmbeddedFiles
import Foundation
import ManagedModel

/// The files that a project of modelc's may have.
let projectFiles: [(path: String, purpose: String)] = entries(below: "Files of a project")
  .map { ($0[0], $0[1]) }

/// The variables that modelc reads.
let environmentVariables: [(name: String, purpose: String)] = entries(below: "Environment")
  .map { ($0[0], $0[1]) }

/// A list of the page `reference.md`: what stands between backticks, and what is said of it.
private func entries(below title: String) -> [[String]] {
  "reference.md".filledFile().lines.drop { $0 != "## \(title)" }.dropFirst(2).prefix { !$0.isEmpty }
    .map { $0.dropFirst(3).split(separator: "`: ", maxSplits: 1).map(String.init) }
}

/// The pages of the documentation, with their titles and first sentences; a test writes the list from the pages.
let pages: [(file: String, title: String, summary: String)] = unsafe embedded(documentationPages)
  .flatMap { String(decoding: $0.content, as: UTF8.self).split(separator: "\n") }
  .map { $0.split(separator: "\t").map(String.init) }
  .map { ($0[0], $0[1], $0[2]) }
