import Foundation
import ReleaseChecks
import TestSupport
import Testing

@testable import ModelCommands

@Suite("What agents are told") struct AgentFileTests {
  private func texts(_ folder: URL, models: String? = nil) throws -> [String] {
    let project = Project(folder: folder.path, modelsFolder: models.map { folder.appending(path: $0).path })
    return try project.agentFiles().map(\.text)
  }

  @Test func `commands name the models that were named`() throws {
    try withTemporaryFolder { folder in
      try Data("import SwiftData".utf8).write(to: folder.appending(path: "Hut.swift"))
      for text in try texts(folder) {
        #expect(
          text.contains("`modelc version new`") && !text.contains("--models") && !text.contains(#/@[a-z]+@/#))
      }
      for text in try texts(folder, models: "More") {
        #expect(text.contains("`modelc version new --models More`"))
      }
      let swift = try texts(folder, models: "Hut.swift")
      #expect(
        swift.allSatisfy { $0.contains("`modelc release --models Hut.swift --from-tags '*' --freeze FILE`") })
      #expect(swift[0].contains("`modelc check --against origin/main --models Hut.swift`"))
      #expect(swift[0].contains("`modelc explain MC3101`"))
      #expect(swift[1].contains("`modelc check --models Hut.swift --against origin/main`"))
    }
  }
}
