import ManagedModel
import Testing

@Suite("Names as Swift has them") struct SwiftIdentifierTests {
  static let names: [(String, String)] = [
    ("name", "name"), ("class", "`class`"), ("Type", "`Type`"), ("self", "self"), ("2nd", "_2nd"),
    ("a b", "a_b"), ("a-b.c", "a_b_c"),
    ("", "__"), ("_", "__"), ("é", "é"), ("größe", "größe"), ("日本", "日本"), ("a\u{301}", "a_"), ("🏔", "__"),
    ("\u{661}", "__"), ("a\u{0}b", "a_b"), ("`a`", "_a_"), ("Klass\n", "Klass_"), ("init", "`init`"),
    ("async", "async"),
  ]

  @Test(arguments: names)
  func `what Swift does not allow becomes an underscore, and its words stand in backticks`(
    name: String, expected: String
  ) {
    #expect(name.swiftIdentifier() == expected)
  }

  @Test func `an underscore follows what is taken, in backticks or not`() {
    let taken: Set = ["hashValue", "class", "_2"]
    #expect(
      ["hashValue", "class", "2", "name"].map { $0.swiftIdentifier(taken: taken) } == [
        "hashValue_", "class_", "_2_", "name",
      ])
    #expect("class".plainSwiftName() == "class" && "class".plainSwiftName(taken: taken) == "class_")
  }
}
