import ManagedModel
import Testing

@testable import ReleaseChecks

@Suite("Bytes with a new meaning") struct CheckContentFormatsTests {
  private func found(
    _ edit: (inout AttributeDescription) -> Void, before: (inout AttributeDescription) -> Void = { _ in }
  ) -> [String] {
    findings(VersionStep.checkContentFormats, "A\n  x: transformable", "A\n  x: transformable") { old, new in
      before(&old.entities[0].attributes[0])
      new.entities[0].attributes[0] = old.entities[0].attributes[0]
      edit(&new.entities[0].attributes[0])
    }
  }

  static let finding = ["MC7007 warning A.x"]

  @Test func `another transformer and another class are warnings, until the hash moves`() {
    #expect(
      found { $0.valueTransformerName = "T" } == Self.finding
        && found { $0.attributeValueClassName = "NSArray" } == Self.finding)
    #expect(
      found { ($0.valueTransformerName, $0.attributeValueClassName) = ("T", "NSArray") } == Self.finding
        + Self.finding)
    #expect(found { ($0.valueTransformerName, $0.versionHashModifier) = ("T", "2") } == [])
    #expect(found { $0.defaultValue = "AA==" } == [])
    // A type is part of the hash: stores are migrated (MC3114).
    let became = found {
      ($0.type, $0.valueTransformerName) = (.binary, nil)
    } before: {
      $0.valueTransformerName = "T"
    }
    #expect(became == [])
    #expect(found { ($0.type, $0.valueTransformerName) = (.binary, "T") } == [])
  }

  static let transformers: [(String?, String?, Bool)] = [
    // What MC1208 asks for: the secure one reads what the insecure ones wrote.
    (nil, "NSSecureUnarchiveFromData", false),
    ("NSKeyedUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", false),
    ("", "NSSecureUnarchiveFromData", false), ("T", "NSSecureUnarchiveFromData", true),
    ("NSSecureUnarchiveFromData", nil, true),
    ("NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData", true), ("A", "B", true), ("A", "A", false),
  ]

  @Test(arguments: transformers)
  func `from one transformer to another`(old: String?, new: String?, isMentioned: Bool) {
    let told = found({ $0.valueTransformerName = new }, before: { $0.valueTransformerName = old })
    #expect(told == (isMentioned ? Self.finding : []))
  }

  @Test func `a hash that moves for another reason migrates the store`() {
    #expect(found { ($0.valueTransformerName, $0.isOptional) = ("T", true) } == Self.finding)
    #expect(found({ $0.valueTransformerName = "T" }, before: { $0.isTransient = true }) == Self.finding)
  }
}
