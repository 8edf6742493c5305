package import ManagedModel

/// Names that Apple's modules give to types of Swift's.
let swiftNamesByAlias: [String: String] = {
  let aliases = [
    "Double": [
      "TimeInterval", "CFTimeInterval", "CFAbsoluteTime", "Float64", "CLLocationDegrees",
      "CLLocationDistance", "CLLocationDirection", "CLLocationSpeed", "CLLocationAccuracy", "MKZoomScale",
    ],
    "Float": ["Float32"],
    "Int": ["NSInteger", "CLong"], "Int32": ["CInt", "OSStatus", "CMTimeScale"], "Int64": ["CMTimeValue"],
    "UInt32": ["CGWindowID", "AVAudioFrameCount", "CGDirectDisplayID"], "UInt16": ["unichar", "CGKeyCode"],
    "Bool": ["CBool", "ObjCBool"],
  ]
  return Dictionary(firstOf: aliases.flatMap { type, names in names.map { ($0, type) } })
}()

/// The Swift types whose values SwiftData keeps as they are, and the attribute type of each.
package let attributeTypesBySwiftName: [String: AttributeType] = {
  // Those that no attribute type is written as.
  var types: [String: AttributeType] = [
    "Int": .integer64, "Int8": .integer16, "UInt8": .integer16, "UInt16": .integer32, "UInt32": .integer64,
    "UInt": .integer64, "UInt64": .integer64, "CGFloat": .double,
  ]
  for type in AttributeType.allCases { if let name = type.traits.swiftType { types[name] = type } }
  for (name, type) in swiftNamesByAlias { types[name] = types[type] }
  return types
}()

/// Types of Apple's that stores show as composites.
let knownComposites: [String: CompositeDescription] = [
  "Color.Resolved": CompositeDescription(
    name: "ColorResolved",
    elements: ["linearRed", "linearGreen", "linearBlue", "opacity"].map {
      AttributeDescription(name: $0, type: .float)
    })
]

/// Codable types of Apple's that no store at hand shows.
let codableTypes: Set<String> = [
  "ArraySlice", "AttributedString", "Calendar", "Calendar.RecurrenceRule", "CGPoint", "CGRect", "CGSize",
  "CGVector", "CGAffineTransform", "CharacterSet", "ClosedRange", "ContiguousArray", "DateComponents",
  "DateInterval", "Duration", "IndexPath", "IndexSet", "Locale", "Locale.Currency", "Locale.Language",
  "Locale.LanguageCode", "Locale.MeasurementSystem", "Locale.Region", "Locale.Script", "Locale.Weekday",
  "LocalizedStringResource", "Measurement", "NSRange", "PersonNameComponents", "PersistentIdentifier",
  "Range", "SIMD2", "SIMD3", "SIMD4", "SortOrder", "TimeZone", "URLComponents", "UTType", "Int128", "UInt128",
  "Float16", "Character",
]
