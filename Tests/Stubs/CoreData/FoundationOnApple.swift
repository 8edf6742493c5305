public import Foundation

// What Foundation has on Apple's systems and lacks on Linux. Declarations only.

public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { absent() }
}

open class ValueTransformer: NSObject {
  open class func setValueTransformer(
    _ transformer: ValueTransformer?, forName name: NSValueTransformerName
  ) { absent() }
  open class func transformedValueClass() -> AnyClass { absent() }
  open class func allowsReverseTransformation() -> Bool { absent() }
  open func transformedValue(_ value: Any?) -> Any? { absent() }
  open func reverseTransformedValue(_ value: Any?) -> Any? { absent() }
}

open class NSExpression: NSObject {}
