import ManagedModel
import SwiftDataModels
import Testing

@Suite("Swift types that SwiftData keeps as they are")
struct SwiftScalarTests {
  @Test("A type that an attribute has in Swift leads back to it")
  func bothDirections() {
    for type in AttributeType.allCases {
      guard let name = type.traits.swiftType else { continue }
      #expect(attributeTypesBySwiftName[name] == type)
    }
  }
}
