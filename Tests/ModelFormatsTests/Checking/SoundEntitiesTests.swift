import ManagedModel
import Testing

@testable import ManagedModel

@Suite struct SoundEntitiesTests {
  /// Several processors look at the entities; what they find is told once, in the order of the model.
  @Test func `findings in a large model are in its order`() {
    var model = ManagedObjectModel()
    let flawed: Set<Int> = [10, 130, 131, 239]
    for number in 0..<240 {
      let attribute = AttributeDescription(name: flawed.contains(number) ? "9" : "a", type: .string)
      model.entities.append(EntityDescription(name: "E\(number)", attributes: [attribute]))
    }
    let found: [String] = checkModel(model, minimum: .error).compactMap { $0.subject?.entity }
    #expect(found == ["E10", "E130", "E131", "E239"])
  }
}
