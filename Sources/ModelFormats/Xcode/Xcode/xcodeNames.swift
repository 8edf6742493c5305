import Foundation
import ManagedModel

/// Xcode's words for attribute types, for the reader and the writer.
let typesByXcodeName = Dictionary(
  uniqueKeysWithValues: AttributeType.allCases.map { ($0.traits.xcodeName ?? "Undefined", $0) })

extension DeleteRule { var xcodeName: String { self == .noAction ? "No Action" : name.capitalized } }
