import Testing

@testable import ModelFormats

@Suite("Tags") struct GitTagTests {
  @Test(arguments: [
    ("v1.1", "v1.0", true), ("v2", "v1.0", true), ("v1.0.1", "v1.0", true), ("v1.1+7", "v1.0", true),
    ("ci-7", "v1.0", false), ("v1.1-rc.1", "v1.0", false), ("v1.1b2", "v1.0", false),
    ("1.1", "1.0", true), ("20260131", "1.0", false), ("20260131", "20260101", true),
    ("v1.1-ios", "v1.0-ios", true), ("v1.1", "v1.1-rc.1", true), ("1.1 (43)", "1.0 (42)", true),
    ("v", "v1", false), ("v1.2-hotfix", "v1.1", true), ("v1.2.0-final", "v1.1.0", true),
    ("v10000", "v1000.1", true),
    ("2026-01-31", "1.0", false),
  ])
  func `count the same releases if they are named alike`(name: String, other: String, isAlike: Bool) {
    #expect(GitTag(name: name, commit: "", date: "").isNamed(like: other) == isAlike)
  }
}
