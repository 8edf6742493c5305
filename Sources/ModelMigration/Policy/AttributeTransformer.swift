public import Foundation
import ManagedModel
import ModelArchives
import PersistentStore

/// Converts the bytes of a transformable attribute to a value and back (`ValueTransformer`, which Foundation has on
/// Macs only).
///
/// To port an app's transformer, change its superclass. The directions are Core Data's: ``transformedValue(_:)`` makes
/// bytes of a value, ``reverseTransformedValue(_:)`` a value of bytes. The model names the transformer:
/// ``PolicyRegistry/register(_:named:)``.
///
/// Attributes without a registered transformer need none where they hold property lists or keyed archives of plain
/// values: texts, numbers, dates, data, URLs, UUIDs, and arrays, sets and dictionaries of these.
open class AttributeTransformer {
  /// Migrations create transformers with this initializer.
  public required init() {}

  /// The name by which models name it; the class's own name unless overridden.
  open class var transformerName: String { String(describing: self) }

  /// What ported transformers override; nothing asks for it here, as for the one below.
  open class func allowsReverseTransformation() -> Bool { true }

  /// The class of what ``transformedValue(_:)`` returns.
  open class func transformedValueClass() -> AnyClass { NSData.self }

  /// The bytes of a value; nil if the transformer does not know it, which stops the migration.
  open func transformedValue(_ value: Any?) -> Any? { value }

  /// A value of bytes; nil if they are none of its own, which ends the migration.
  open func reverseTransformedValue(_ value: Any?) -> Any? { value }
}

/// The value of a transformable attribute that is not a plain value and that no registered transformer knows.
///
/// It can be set to another attribute, whose bytes are then the same. A value that was read but not used stops the
/// migration after the callback, because a cast to another type silently gave nil.
public final class UndecodedValue: CustomStringConvertible {
  private let owner: MigratingObject
  private let key: String
  private let reason: String
  private let bytes: Data
  private var isUsed = false

  init(_ bytes: Data, reason: String, of owner: MigratingObject, _ key: String) {
    self.bytes = bytes
    self.reason = reason
    self.owner = owner
    self.key = key
  }

  deinit {
    guard !isUsed else { return }
    owner.managedObjectContext.record(
      PolicyMisuse(
        "the value of '\(key)' of '\(owner.shape.name)' cannot be decoded: \(reason)",
        help: ["register its transformer, or read its bytes: `object[\"\(key)\"] as Data?`"]), owner, key)
  }

  /// The bytes as the store has them.
  public var data: Data {
    isUsed = true
    return bytes
  }

  /// Why there is no value.
  public var description: String { reason }
}

extension MigratingObject {
  func transformed(_ value: AttributeValue?, _ attribute: AttributeDescription, _ key: String) throws -> Any?
  {
    guard case .binary(let data)? = value else { return value?.foundationValue }
    if let transformer = transformer(of: attribute) {
      guard let value = transformer.reverseTransformedValue(data) else {
        throw PolicyMisuse(
          "transformer '\(attribute.valueTransformerName ?? "")' returns no value for '\(key)' of '\(shape.name)'"
        )
      }
      return value
    }
    do throws(ArchiveFlaw) {
      return try data.decodePlainValue()
    } catch {
      return UndecodedValue(data, reason: error.reason, of: self, key)
    }
  }

  /// The bytes of a transformable attribute's value. Bytes that are an archive or a property list already stay as they
  /// are, and so do those of a value that was not decoded.
  func transformedBytes(of value: Any, _ attribute: AttributeDescription, _ key: String) throws -> Data {
    if let undecoded = value as? UndecodedValue { return undecoded.data }
    if let data = value as? Data, (try? data.decodePlainValue()) != nil || data.isKeyedArchive { return data }
    if let transformer = transformer(of: attribute) {
      if let data = transformer.transformedValue(value) as? Data { return data }
      throw PolicyMisuse(
        "transformer '\(attribute.valueTransformerName ?? "")' returns no data for the value of '\(key)' of '\(shape.name)'"
      )
    }
    guard let data = encodePlainValue(value) else {
      throw PolicyMisuse(
        "the value for '\(key)' of '\(shape.name)' is not a plain value",
        help: ["register a transformer for it, or pass its bytes"])
    }
    return data
  }

  /// The registered transformer of an attribute; nil for those that Core Data brings along.
  private func transformer(of attribute: AttributeDescription) -> AttributeTransformer? {
    attribute.valueTransformerName.flatMap { managedObjectContext.transformers.transformer(named: $0) }
  }
}
