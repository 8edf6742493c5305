import TestSupport

/// An app in a repository, whose classes stand in one file that can be written.
func withSwiftDataApp(_ body: (ReleasedProject, _ write: (String) throws -> Void) throws -> Void) throws {
  try Repository.with { repository in
    let project = ReleasedProject(repository: repository)
    try body(project) { text in
      try project.write("import Foundation\nimport SwiftData\n" + text, to: "App/Models.swift")
    }
  }
}

/// Codes of what is found in the app and is new.
func newCodes(_ project: ReleasedProject, _ severity: String = "error") throws -> [String] {
  try project.check(models: "App").found.filter { $0.severity == severity && $0.state == "new" }.map(\.code)
}
