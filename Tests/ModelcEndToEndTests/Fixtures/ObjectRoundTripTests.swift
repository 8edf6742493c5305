import Foundation
import TestSupport
import Testing

@Suite("Objects of genuine stores go out and come in again", .needsFixtures) struct ObjectRoundTripTests {
  @Test func `the list has all 21 stores`() {
    #expect(ListedStore.all.count == 21)
    #expect(ListedStore.withModel.count == 18)
    #expect(ListedStore.all.allSatisfy { FileManager.default.fileExists(atPath: Fixtures.url($0.path).path) })
  }

  @Test(arguments: ListedStore.withModel)
  func `export, fixture, export: the same objects`(_ store: ListedStore) throws {
    // The oldest store needs a project that knows its hashes; all others carry their model.
    let project = store.package == nil ? [] : ["-C", "T"]
    try Workplace.with(packages: store.package == nil ? [] : [GenuineModel.books.package]) { place in
      let copy = try place.copyStore(store.path)
      let before = try place.snapshot()
      let first = try Modelc.run(["export", copy, "--as", "yaml"] + project, in: place.folder)
      expectSuccess(first)
      #expect(first.stdout.utf8.count > 200)
      #expect(try place.snapshot() == before)
      try place.write(first.stdout, to: "objects.yaml")
      let made = try place.modelc(
        "fixture", store.version(copy: copy), "--objects", "objects.yaml", "--framework", copy, "-o",
        "new.sqlite")
      expectSuccess(made)
      let second = try Modelc.run(["export", "new.sqlite", "--as", "yaml"] + project, in: place.folder)
      expectSuccess(second)
      #expect(second.stdout == first.stdout)
    }
  }

  @Test(arguments: ListedStore.withModel.filter { $0.package == nil }.suffix(4))
  func `as lines there are as many objects`(_ store: ListedStore) throws {
    try Workplace.with { place in
      let copy = try place.copyStore(store.path)
      let lines = try place.modelc("export", copy, "--as", "jsonl", "-o", "o.jsonl")
      expectSuccess(lines)
      let text = try String(contentsOf: place.url("o.jsonl"), encoding: .utf8)
      let whole = try place.modelc("export", copy, "--as", "yaml")
      #expect(text.split(separator: "\n").count == whole.stdout.matches(of: #/(?m)^  p\d+:/#).count)
    }
  }

  @Test(arguments: ListedStore.all.filter(\.lacksModel))
  func `a store without any model is refused`(_ store: ListedStore) throws {
    try Workplace.with { place in
      let copy = try place.copyStore(store.path)
      expectRefusal(try place.modelc("export", copy, "--as", "yaml"), "MC5102", exit: 3)
    }
  }
}
