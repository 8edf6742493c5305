public import ManagedModel

extension Diagnostic.Code {
  public static let missingAttributeValues = Self("MC3101")
  public static let missingRelationshipValues = Self("MC3102")
  public static let duplicateValues = Self("MC3105")
  public static let numericNarrowing = Self("MC3109", level: .store)
  public static let abstractEntityWithRows = Self("MC3110")
  public static let storageFormChanged = Self("MC3117")
}
