import Testing

@testable import ReleaseChecks

@Suite("New names, and new large values") struct CheckNamesAndBinariesTests {
  static let names: [(String, String, [String])] = [
    ("A", "A\nhut", ["MC7021 warning hut"]),
    ("A", "A\n  Beds: string?\n  Owner -> A", ["MC7021 warning A.Beds", "MC7021 warning A.Owner"]),
    ("hut", "hut", []), ("A\n  Beds: string?", "A\n  Beds: date?", []), ("A", "A\nÄpfel\n  éa: string?", []),
    ("A", "A\nélan", ["MC7021 warning élan"]),
    ("A", "A\n_x\n日本", []), ("A", "A\n  ÉA: string?", ["MC7021 warning A.ÉA"]),
    ("P\n  X: string?\nA < P", "P\nA < P\n  X: string?", []),
  ]

  @Test(arguments: names)
  func `entities begin with a capital letter, properties with a small one`(
    old: String, new: String, expected: [String]
  ) {
    #expect(findings(VersionStep.checkNaming, old, new) == expected)
  }

  static let binaries: [(String, String, [String])] = [
    ("A", "A\n  x: binary?", ["MC7020 warning A.x"]), ("A", "A\n  x: binary?, external", []),
    ("A\n  x: binary?", "A\n  x: binary?", []),
    ("A\n  x: binary?", "A\n  y: binary?, was x", []), ("A\n  x: string?", "A\n  x: binary?", []),
    ("A", "B\n  x: binary?", ["MC7020 warning B.x"]),
    ("A\n  x: binary?", "B, was A\n  x: binary?", []),
    ("A", "A\n  p: P\ncomposite P\n  x: binary", ["MC7020 warning A.p.x"]),
    ("P\n  x: binary?\nA < P", "P\nA < P\n  x: binary?", []), ("A", "A\n  x: transformable?", []),
  ]

  @Test(arguments: binaries)
  func `a new binary without external storage lies in the pages`(old: String, new: String, expected: [String])
  {
    #expect(findings(VersionStep.checkLargeBinaries, old, new) == expected)
  }
}
