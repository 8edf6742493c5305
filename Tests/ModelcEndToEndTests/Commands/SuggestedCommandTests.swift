import Foundation
import TestSupport
import Testing

/// What a message tells to type is typed, in the folder and with the options of the command that told it.
@Suite("Suggested commands run") struct SuggestedCommandTests {
  /// A command that tells some, and the folder's name, which needs quoting.
  private struct Suggestion: Sendable {
    var arguments: [String]
    var prepare: @Sendable (Workplace) throws -> Void = { _ in }
  }

  private static let project = "my app"
  private static let model = "my app/Models/M"

  private static func versions(_ names: String..., current: String) -> String {
    "current: \(current)\nversions: [\(names.joined(separator: ", "))]\n"
  }

  /// A project of three versions with a store of the first one, released.
  private static func prepare(_ place: Workplace) throws {
    let first = "entities: {Task: {attributes: {title: string?, phone: string?}}}\n"
    try place.write(first, to: "\(model)/V1.yaml")
    try place.write(first.replacing("phone", with: "mail"), to: "\(model)/V2.yaml")
    try place.write(versions("V1", "V2", current: "V2"), to: "\(model)/versions.yaml")
    expectSuccess(try place.modelc("fixture", "V1", "--rows", "5", "-o", "my store.sqlite", "-C", project))
  }

  private static let suggestions = [
    Suggestion(arguments: ["check"]),
    Suggestion(arguments: ["check"]) { place in
      expectSuccess(try place.modelc("release", "V1", "-C", project))
      try place.replace("title", with: "name", in: "\(model)/V1.yaml")
    },
    Suggestion(arguments: ["check"]) { place in
      expectSuccess(try place.modelc("release", "V1", "-C", project))
    },
    Suggestion(arguments: ["check", "--baseline", "known findings"]) { place in
      try place.write("MC7008\tM\tnothing such\n", to: "known findings")
    },
    Suggestion(arguments: ["plan", "my store.sqlite"]),
    Suggestion(arguments: ["migrate", "my store.sqlite"]),
    Suggestion(arguments: ["plan", "my store.sqlite"]) { place in
      try place.replace("title", with: "name", in: "\(model)/V1.yaml")
    },
    Suggestion(arguments: ["inspect", "my store.sqlite"]) { place in
      try place.replace("title", with: "name", in: "\(model)/V1.yaml")
    },
    Suggestion(arguments: ["verify", "my store.sqlite"]) { place in
      try place.replace("title", with: "name", in: "\(model)/V1.yaml")
    },
    Suggestion(arguments: ["test"]), Suggestion(arguments: ["map", "rebase"]),
    Suggestion(arguments: ["map", "rebase", "V1", "V2"]),
    Suggestion(arguments: ["migrate", "my store.sqlite"]) { place in
      try place.write(
        """
        from: V1
        to: V2
        versionHashes: {V1: {Task: 0123456789abcdef}}
        entityMappings: {Task: {source: Task, destination: Task}}
        """, to: "\(project)/Migrations/M/V1-V2.yaml")
    },
    Suggestion(arguments: ["plan", "my store.sqlite"]) { place in
      try place.write(
        "from: V1\nto: V2\nentityMappings: {T: {source: Task, destination: Task}}\n",
        to: "\(project)/Migrations/M/V1-V2.yaml")
    },
    Suggestion(arguments: ["check", "--level", "path"]) { place in
      try place.write(
        """
        from: V1
        to: V2
        entityMappings: [{source: Task, destination: Task, policy: TaskPolicy}]
        """, to: "\(project)/Migrations/M/V1-V2.yaml")
    },
    Suggestion(arguments: ["compile", "--check"]), Suggestion(arguments: ["check", "--against", "main"]),
  ]

  @Test func `each of them is pasted`() throws {
    var pasted: Set<String> = []
    for (number, suggestion) in Self.suggestions.enumerated() {
      try withTemporaryFolder { folder in
        let place = Workplace(folder: folder)
        try Self.prepare(place)
        try suggestion.prepare(place)
        let run = try Modelc.run(suggestion.arguments + ["-C", Self.project], in: folder)
        for command in Self.commands(in: run.stdout + run.stderr) {
          let copy = folder.deletingLastPathComponent().appending(
            path: "\(folder.lastPathComponent)-\(number)")
          defer { try? FileManager.default.removeItem(at: copy) }
          try? FileManager.default.removeItem(at: copy)
          try FileManager.default.copyItem(at: folder, to: copy)
          let (code, text) = try Self.paste(command, in: copy)
          // It may find what it is asked about; it is never misspelt, unquoted or without what it needs.
          #expect([0, 1, 3].contains(code), "\(suggestion.arguments): \(command)\n\(code)\n\(text)")
          #expect(!text.contains("Usage:"), "\(command)\n\(text)")
          pasted.insert(command)
        }
      }
    }
    print("pasted:")
    for command in pasted.sorted() { print("  \(command)") }
    #expect(pasted.count >= 8)
    // The options that were given are in them, and names with blanks are quoted.
    let withProject = pasted.filter { !$0.contains("explain") && !$0.contains(" init") }
    #expect(withProject.allSatisfy { $0.contains("-C 'my app'") }, "\(withProject)")
    #expect(pasted.contains { $0.contains("'my store.sqlite'") })
  }

  /// What stands between marks of code and is a command of this program.
  private static func commands(in text: String) -> [String] {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    let program = Modelc.executable.path
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element).filter {
      $0.hasPrefix("modelc ") || $0.hasPrefix(program + " ")
    }
  }

  private static func paste(_ command: String, in folder: URL) throws -> (code: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "modelc() { '\(Modelc.executable.path)' \"$@\"; }\n" + command]
    process.currentDirectoryURL = folder
    let output = try CommandOutput(of: process)
    return (output.code, output.text)
  }
}
