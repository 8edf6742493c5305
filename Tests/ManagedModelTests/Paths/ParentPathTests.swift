import Foundation
import ManagedModel
import Testing

@Suite("Parent folders") struct ParentPathTests {
  /// Foundation's own ends the program for `a`.
  @Test(arguments: [
    ("a", ""), ("", ""), ("a/b", "a"), ("/a", "/"), ("a/b/", "a"), ("a//b", "a"), ("/", "/"),
    ("/a/é", "/a"), ("./a", "."),
  ])
  func `of a path`(path: String, parent: String) {
    #expect(path.parentPath == parent)
    if path.utf8.count > 1 { #expect((path as NSString).deletingLastPathComponent == parent) }
  }
}
