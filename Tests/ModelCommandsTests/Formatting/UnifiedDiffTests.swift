import Foundation
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Unified diffs") struct UnifiedDiffTests {
  private func diff(_ before: String, _ after: String) -> String {
    String(decoding: unifiedDiff(from: Data(before.utf8), to: Data(after.utf8), path: "f"), as: UTF8.self)
  }

  @Test func `hunks have three lines around them, and ends of files are told`() {
    let lines = (1...20).map { "\($0)\n" }
    let changed = lines.map { $0 == "5\n" ? "five\n" : $0 }.joined() + "end"
    #expect(
      diff(lines.joined(), changed) == """
        --- f
        +++ f
        @@ -2,7 +2,7 @@
         2
         3
         4
        -5
        +five
         6
         7
         8
        @@ -18,3 +18,4 @@
         18
         19
         20
        +end
        \\ No newline at end of file

        """)
    #expect(diff("a\n", "a\n").isEmpty)
    #expect(diff("", "a\n") == "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n")
    #expect(diff("a\r\n", "b\r\n") == "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\r\n+b\r\n")
  }

  @Test func `git makes the one text of the other, also where very many lines differ`() throws {
    var random = SeededGenerator(seed: 5)
    for round in 0..<12 {
      let count = round == 0 ? 4_000 : Int.random(in: 0...60, using: &random)
      let before = (0..<count).map { _ in "line \(Int.random(in: 0...9, using: &random))\n" }
      var after = before.filter { _ in Int.random(in: 0..<9, using: &random) != 0 }
      for _ in 0..<(count / 8) {
        after.insert("new\n", at: Int.random(in: 0...after.count, using: &random))
      }
      if round == 3 { after.append("no end") }
      guard before != after, !before.isEmpty, !after.isEmpty else { continue }
      try withTemporaryFolder { folder in
        let repository = Repository(folder: folder)
        try repository.write(before.joined(), to: "f")
        try repository.write(diff(before.joined(), after.joined()), to: "d.patch")
        try repository.git("apply", "-p0", "d.patch")
        #expect(
          String(decoding: try Data(contentsOf: folder.appending(path: "f")), as: UTF8.self)
            == after.joined(), "round \(round)")
      }
    }
  }
}
