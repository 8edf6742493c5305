import ManagedModel
import TestSupport
import Testing

@Suite("Names of files") struct FileNameTests {
  static let good = ["V1", "Model 2", "é👩‍👧", "a..b", "-", "~", String(repeating: "x", count: 250)]
  static let bad = [
    "", ".", "..", ".hidden", "a/b", "/", "a:b", "a\\b", "a\nb", "\u{0}", "\u{1F}",
    String(repeating: "x", count: 251),
    String(repeating: "é", count: 126), "a/\u{301}b",
  ]

  @Test func `a name leaves no folder, is not hidden and is not too long`() {
    #expect(Self.good.filter { !$0.isFileName } == [] && Self.bad.filter { $0.isFileName } == [])
  }

  @Test func `a path that is joined is no option`() {
    #expect(join(".", "-dash") == "./-dash" && join("a", "-dash") == "a/-dash" && join(".", "b") == "b")
  }

  private func findings(_ names: String...) -> [String] {
    let model = VersionedModel(name: "M", versions: names.map { versionOf($0, "") }, currentVersionName: "")
    do throws(DiagnosticsError) {
      try model.requireFileNames()
      return []
    } catch {
      return error.diagnostics.map { "\($0.code) \($0.subject?.version ?? "")" }
    }
  }

  @Test func `every version that has no file name of its own is told`() {
    #expect(findings("V1", "V2") == [] && findings() == [])
    #expect(findings("V1", "a/b", "v1", ".x") == ["MC2107 a/b", "MC2107 v1", "MC2107 .x"])
    // Names that are not file names take none.
    #expect(findings("a/b", "A/b") == ["MC2107 a/b", "MC2107 A/b"])
  }

  @Test(arguments: [
    ("", [""]), ("a", ["a"]), ("/a//b/", ["", "a", "", "b", ""]), ("a/\u{301}b", ["a", "\u{301}b"]),
  ])
  func `parts stand between slashes, byte by byte`(path: String, parts: [String]) {
    let found = path.pathParts
    #expect(found.count == parts.count && zip(found, parts).allSatisfy { $0.hasBytes(of: $1) })
  }

  @Test func `of many names the latest are listed`() {
    let names = (1...12).map { "V\($0)" }
    #expect([].listed == "" && ["V1"].listed == "V1")
    #expect(Array(names.prefix(9)).listed == "V1, V2, V3, V4, V5, V6, V7, V8, V9")
    #expect(names.listed == "4 older ones, V5, V6, V7, V8, V9, V10, V11, V12")
  }

  static let kinds: [(String, ModelSourceKind?)] = [
    ("App.xcdatamodeld", .xcodePackage), ("a/App.xcdatamodel/", .xcodePackage), ("App.MOMD", .bundle),
    ("x.mom", .bundle),
    ("V1.yaml", .versionFile), ("V1.yml", .versionFile), ("Model.swift", .swiftFile), ("Models", nil),
    ("", nil),
    (".yaml", nil), ("a.yaml/b", nil), ("yaml", nil), ("App.xcdatamodeld.zip", nil),
  ]

  @Test(arguments: kinds)
  func `an extension says what a path holds`(path: String, kind: ModelSourceKind?) {
    #expect(ModelSourceKind(path) == kind)
  }

  @Test func `a pointer of git-lfs is a short file that begins as one`() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    #expect(isLargeFilePointer(Array(pointer.utf8)) && !isLargeFilePointer([]))
    #expect(!isLargeFilePointer(Array((" " + pointer).utf8)))
    #expect(!isLargeFilePointer(Array((pointer + String(repeating: "x", count: 1000)).utf8)))
    let finding = Diagnostic.largeFilePointer("a.sqlite")
    #expect(finding.code.description == "MC0202" && finding.place?.file == "a.sqlite")
  }
}
