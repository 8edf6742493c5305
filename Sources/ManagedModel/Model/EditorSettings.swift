/// What an `.xcdatamodel` holds for Xcode alone. Hashes, fingerprints and comparisons of versions ignore it.
package struct EditorSettings: Hashable, Sendable {
  package var minimumToolsVersion: String?
  package var sourceLanguage: String?
  package var usedWithCloudKit: Bool
  package var usedWithSwiftData: Bool
  /// The configurations that are marked for CloudKit one by one.
  package var cloudKitConfigurations: [String]
  /// Entities, and properties after their entity's name and a dot, that are marked as not to be synced.
  package var notSyncable: [String]
  /// The Xcode that saved the model last, by which a writer knows the form that this Xcode writes.
  package var lastSavedToolsVersion: String?
  /// The system that this Xcode ran on.
  package var systemVersion: String?
  /// Where entities are in the diagram; nil if absent, as since Xcode 14.
  package var diagram: [DiagramElement]?

  package init(
    minimumToolsVersion: String? = nil, sourceLanguage: String? = nil, usedWithCloudKit: Bool = false,
    usedWithSwiftData: Bool = false, cloudKitConfigurations: [String] = [], notSyncable: [String] = [],
    lastSavedToolsVersion: String? = nil, systemVersion: String? = nil, diagram: [DiagramElement]? = nil
  ) {
    self.minimumToolsVersion = minimumToolsVersion
    self.sourceLanguage = sourceLanguage
    self.usedWithCloudKit = usedWithCloudKit
    self.usedWithSwiftData = usedWithSwiftData
    self.cloudKitConfigurations = cloudKitConfigurations
    self.notSyncable = notSyncable
    self.lastSavedToolsVersion = lastSavedToolsVersion
    self.systemVersion = systemVersion
    self.diagram = diagram
  }
}

/// The box of one entity in Xcode's diagram.
package struct DiagramElement: Hashable, Sendable {
  package var name: String
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(name: String, x: Double, y: Double, width: Double, height: Double) {
    self.name = name
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

extension String {
  /// A number of the diagram, in YAML and in XML.
  package var diagramNumber: Double? {
    guard case .double(let number)? = AttributeValue(parsing: self, as: .double) else { return nil }
    return number
  }
}

extension Double {
  /// Whole numbers without a fraction, as Xcode writes them; Xcode also writes `-0`.
  package var diagramText: String {
    if sign == .minus, isZero { return "-0" }
    return Int32(exactly: self).map { "\($0)" } ?? "\(self)"
  }
}
