import Foundation
import TestSupport
import Testing

/// What was adopted and not edited goes back into its package without a change that git would show.
@Suite("Packages of Xcode's after adopt and export", .needsFixtures)
struct PackageRoundTripTests {
  /// Packages, and single versions that stand in none.
  private static let packages =
    (Fixtures.all(withExtension: "xcdatamodeld")
    + Fixtures.all(withExtension: "xcdatamodel").filter { !$0.path.contains(".xcdatamodeld") })
    .sorted { $0.path < $1.path }

  @Test func `git shows no difference for any genuine package`() throws {
    #expect(Self.packages.count >= 112)
    try Repository.with { repository in
      let groups = Self.grouped(Self.packages)
      for (index, packages) in groups.enumerated() {
        for package in packages {
          let copy = repository.folder.appending(path: "\(index)/\(package.lastPathComponent)")
          try FolderSnapshot(package).write(to: copy)
        }
      }
      try repository.commit("as they came")
      for (index, packages) in groups.enumerated() {
        try roundTrip(packages.map(\.lastPathComponent), in: repository.folder.appending(path: "\(index)"))
      }
      let status = try repository.git("status", "--porcelain", "--untracked-files=no")
      let difference = try repository.git("diff", "--unified=0")
      #expect(status == "", "\(status)\(difference.prefix(4000))")
    }
  }

  /// Into a project beside the packages, and back.
  private func roundTrip(_ names: [String], in folder: URL) throws {
    let adopted = try Modelc.run(["adopt", "-C", "T"] + names, in: folder)
    expectSuccess(adopted)
    for name in names where name.hasSuffix(".xcdatamodel") {
      let model = String(name.dropLast(".xcdatamodel".count))
      expectSuccess(
        try Modelc.run("export", "-C", "T", "--as", "xcdatamodeld", "-o", name, "--model", model, in: folder))
      try FileManager.default.removeItem(at: folder.appending(path: "T/Models/\(model)"))
    }
    let folders = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    guard folders.contains(where: { $0.hasSuffix(".xcdatamodeld") }) else { return }
    let run = try Modelc.run("export", "-C", "T", "--as", "xcdatamodeld", "-o", ".", in: folder)
    expectSuccess(run)
    #expect(!run.stderr.contains("MC0209"), "\(run)")
  }

  /// Models of one project have names of their own.
  private static func grouped(_ packages: [URL]) -> [[URL]] {
    var groups: [[URL]] = []
    for package in packages {
      let name = package.deletingPathExtension().lastPathComponent
      let free = groups.firstIndex { group in
        !group.contains { $0.deletingPathExtension().lastPathComponent == name }
      }
      if let free { groups[free].append(package) } else { groups.append([package]) }
    }
    return groups
  }
}
