import ManagedModel
import Testing

@testable import ReleaseChecks

@Suite("Numbers that may not fit") struct CheckNarrowingTests {
  static let steps: [(String, String, Bool)] = [
    ("integer64", "integer16", true), ("integer32", "integer16", true), ("integer16", "integer64", false),
    ("integer16", "float", false), ("integer32", "float", true), ("integer32", "double", false),
    ("integer64", "double", false), ("double", "float", true), ("float", "double", false),
    ("double", "integer64", true), ("float", "integer16", true), ("decimal", "double", true),
    ("decimal", "integer64", true), ("double", "decimal", false), ("integer64", "decimal", false),
    ("integer16", "boolean", true), ("boolean", "integer16", false), ("double", "double", false),
    // Inference refuses these.
    ("string", "integer16", false), ("double", "date", false),
  ]

  @Test(arguments: steps)
  func `are a warning`(old: String, new: String, isMentioned: Bool) {
    #expect(
      findings(VersionStep.checkNarrowing, "A\n  x: \(old)?", "A\n  y: \(new)?, was x")
        == (isMentioned ? ["MC7055 warning A.y"] : []))
  }

  @Test(arguments: [(true, false), (false, true), (true, true)])
  func `values in files that are to lie in the store are a warning`(was: Bool, becomes: Bool) {
    let found = findings(VersionStep.checkFileValues, "A\n  x: binary?", "A\n  x: binary?") { old, new in
      old.entities[0].attributes[0].allowsExternalBinaryDataStorage = was
      new.entities[0].attributes[0].allowsExternalBinaryDataStorage = becomes
    }
    #expect(found == (was && !becomes ? ["MC3117 warning A.x"] : []))
  }
}
