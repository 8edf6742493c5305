import Foundation
import ManagedModel

extension ModelArchiver {
  /// A value as the object that Core Data holds for it.
  mutating func archived(_ value: AttributeValue) -> PropertyListValue {
    switch value {
    case .integer(let number): builder.scalar(.integer(number))
    case .double(let number): builder.scalar(.real(number))
    case .boolean(let flag): builder.scalar(.boolean(flag))
    case .string(let text): builder.string(text)
    case .binary(let data): builder.scalar(.data(data))
    case .decimal(let number): builder.object(.decimalNumber, ArchivedDecimal(number).fields)
    case .date(let seconds): builder.object(.date, [.init("NS.time", .real(seconds))])
    case .uuid(let uuid):
      builder.object(.uuid, [.init("NS.uuidbytes", .data(uuid.bytes))])
    case .uri(let text):
      builder.object(
        .url, [.init("NS.base", KeyedArchiveBuilder.null), .init("NS.relative", builder.string(text))])
    }
  }
}

extension ModelUnarchiver {
  /// Nil if the value is none of the type.
  func text(_ value: ArchivedValue, as type: AttributeType) -> String? {
    switch (type, value) {
    case (.boolean, .boolean(let flag)): AttributeValue.boolean(flag).text
    case (.boolean, .integer(let number)) where number == 0 || number == 1:
      AttributeValue.boolean(number == 1).text
    case (_, .integer(let number)) where type.isInteger: AttributeValue.integer(number).text
    case (_, .real(let number)) where type.isInteger:
      Int64(exactly: number).map { AttributeValue.integer($0).text }
    case (_, .boolean(let flag)) where type.isInteger: AttributeValue.integer(flag ? 1 : 0).text
    case (.double, .real(let number)), (.float, .real(let number)): AttributeValue.double(number).text
    case (.double, .integer(let number)), (.float, .integer(let number)):
      AttributeValue.double(Double(number)).text
    case (.decimal, .integer(let number)): AttributeValue.decimal(Decimal(number)).text
    case (.decimal, .real(let number)): number.decimal.map { AttributeValue.decimal($0).text }
    case (.decimal, .object(let number)) where number.className.hasPrefix("NSDecimalNumber"):
      ArchivedDecimal(number).map { AttributeValue.decimal($0.decimal).text }
    case (.string, .string(let text)): text
    case (.date, .date(let seconds)): AttributeValue.date(seconds).text
    case (.binary, .data(let data)), (.transformable, .data(let data)): AttributeValue.binary(data).text
    case (.uuid, .object(let object)) where object.className == "NSUUID": object.uuid?.uuidString
    case (.uri, .object(let object)) where object.className == "NSURL":
      if case .null = object["NS.base"] { object.string("NS.relative") } else { nil }
    default: nil
    }
  }
}
