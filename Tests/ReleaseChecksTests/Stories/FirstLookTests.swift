import Foundation
import ManagedModel
import ReleaseChecks
import TestSupport
import Testing

@testable import ModelCommands

/// A team that runs the gate for the first time reads a screen, not thousands of lines.
@Suite("The first check of a package", .needsFixtures) struct FirstLookTests {
  private static let packages = Fixtures.all(withExtension: "xcdatamodeld").map(\.path)

  private func look(at path: String, level: CheckLevel = .path) throws -> CheckReport {
    let models = try Project(folder: ".", modelsFolder: path, modelName: nil).readCheckedModels()
    var options = CheckOptions()
    options.today = "2026-01-31"
    options.level = level
    return runChecks(models, options: options)
  }

  @Test func `every package of the fixtures fits a screen, and nothing is left out silently`() throws {
    let many = Self.packages.compactMap { path -> String? in
      guard let report = try? look(at: path, level: .store) else { return nil }
      let lines = report.text(usesColor: false).split(separator: "\n", omittingEmptySubsequences: false)
      let all = report.text(usesColor: false, takesAll: true)
      let isComplete = report.findings.filter { $0.counts || $0.state == .past }
        .allSatisfy { all.utf8.split(separator: 0x0A).count > 0 && all.contains("[\($0.diagnostic.code)]") }
      return lines.count > 61 || !isComplete ? "\(lines.count) lines: \(path)" : nil
    }
    #expect(Self.packages.count > 60)
    #expect(many == [])
  }

  @Test func `what is about versions that nobody can edit is a line, in the order of versions`() throws {
    let path = Fixtures.url("gdombiak+OctoPod/OctoPod/OctoPod.xcdatamodeld").path
    let report = try look(at: path, level: .store)
    let past = report.findings.filter { $0.state == .past }
    #expect(past.count > 5)
    let text = report.text(usesColor: false)
    #expect(
      text.contains(
        "\(past.count) findings about versions that can no longer be edited: `--all` prints them\n"))
    let versions = report.findings.compactMap { $0.diagnostic.subject?.version }
    let numbers = versions.map { Int($0.drop { !$0.isNumber }) ?? 1 }
    #expect(numbers == numbers.sorted())
  }
}
