import Foundation
import TestSupport
import Testing

@Suite("modelc export of CloudKit's schema") struct ExportCloudKitTests {
  /// Production has V1. What V2 adds is the same by the file and by the step.
  @Test func `what production lacks is written, by file and by step`() throws {
    try Workplace.withSample { place in
      let whole = try place.modelc("export", "--as", "ckdb", "V1", "-C", "P", "-o", "production.ckdb")
      expectSuccess(whole)
      let production = try String(contentsOf: place.url("production.ckdb"), encoding: .utf8)
      #expect(production.hasPrefix("DEFINE SCHEMA") && production.contains("RECORD TYPE CD_Hut"))
      let nothing = try place.modelc(
        "export", "--as", "ckdb", "V1", "-C", "P", "--since", "production.ckdb")
      expectSuccess(nothing)
      #expect(nothing.stdout.contains("lacks: nothing.") && !nothing.stdout.contains("RECORD TYPE"))
      let file = try place.modelc("export", "--as", "ckdb", "V2", "-C", "P", "--since", "production.ckdb")
      let step = try place.modelc("export", "--as", "ckdb", "V1-V2", "-C", "P")
      #expect(file.code == 0 && step.code == 0)
      func additions(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { !$0.contains("//") }
      }
      #expect(additions(file.stdout) == additions(step.stdout))
      #expect(additions(file.stdout).count > 2)
    }
  }

  @Test func `a field that would change its type is refused, and so is what is not a schema`() throws {
    try Workplace.withSample { place in
      try place.write(
        "DEFINE SCHEMA\n  RECORD TYPE CD_Hut ( CD_name TIMESTAMP );\n", to: "production.ckdb")
      let retyped = try place.modelc("export", "--as", "ckdb", "V2", "-C", "P", "--since", "production.ckdb")
      #expect(retyped.code == 1 && retyped.stderr.contains("MC7012"))
      try place.write("CREATE TABLE hut (name TEXT);\n", to: "other.ckdb")
      let other = try place.modelc("export", "--as", "ckdb", "-C", "P", "--since", "other.ckdb")
      #expect(other.code == 2 && other.stdout.isEmpty && other.stderr.contains("other.ckdb:1:1"))
      #expect(try place.modelc("export", "--as", "dot", "-C", "P", "--since", "other.ckdb").code == 2)
      #expect(try place.modelc("export", "--as", "ckdb", "-C", "P", "--since", "none.ckdb").code != 0)
      let both = try place.modelc("export", "--as", "ckdb", "V2-V3", "-C", "P", "--since", "production.ckdb")
      #expect(both.code == 2 && both.stdout.isEmpty)
    }
  }
}
