import ManagedModel

/// Xcode's words for attribute types, for the reader and the writer.
let typesByXcodeName = Dictionary(
  uniqueKeysWithValues: AttributeType.allCases.map { ($0.traits.xcodeName ?? "Undefined", $0) })

extension DeleteRule {
  var xcodeName: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }

  init?(xcodeName: String) {
    guard let rule = Self.allCases.first(where: { $0.xcodeName == xcodeName }) else { return nil }
    self = rule
  }
}
