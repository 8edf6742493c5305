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
    case .decimal(let number): builder.object("NSDecimalNumber", ArchivedDecimal(number).fields)
    case .date(let seconds): builder.object("NSDate", [.init("NS.time", .real(seconds))])
    case .uuid(let uuid):
      builder.object("NSUUID", [.init("NS.uuidbytes", .data(uuid.bytes))])
    case .uri(let text):
      builder.object(
        "NSURL", [.init("NS.base", KeyedArchiveBuilder.null), .init("NS.relative", builder.string(text))])
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

extension ModelArchiver {
  mutating func archivedDefault(of attribute: AttributeDescription) -> PropertyListValue {
    switch attribute.defaultValue {
    case nil, .evaluated: return KeyedArchiveBuilder.null
    case .text(let text):
      let value = AttributeValue(parsing: text, as: attribute.type)
      return value.map { archived($0) } ?? KeyedArchiveBuilder.null
    case .archived(let data):
      guard let archive = try? KeyedArchive(data) else { return KeyedArchiveBuilder.null }
      return builder.embed(archive.rootReference, of: archive, budget: WorkBudget(.max))
    }
  }
}

extension AttributeValue {
  /// Whether the value can be a bound of a validation.
  var isOrdered: Bool {
    switch self {
    case .integer, .decimal, .double, .date: true
    default: false
    }
  }
}

/// A decimal as `NSDecimalNumber` archives it: up to eight 16-bit words of mantissa, least significant first, and
/// an exponent of ten.
struct ArchivedDecimal: Hashable {
  var words: [UInt16]
  var exponent: Int
  var isNegative: Bool

  init(_ number: Decimal) {
    words = []
    exponent = 0
    isNegative = number < 0
    // Decimal's text is exact: digits, at most one point, no exponent.
    var fraction: Int?
    for byte in "\(number)".utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        appendDigit(UInt32(byte - UInt8(ascii: "0")))
        if let places = fraction { fraction = places + 1 }
      case UInt8(ascii: "."): fraction = 0
      default: break
      }
    }
    exponent = -(fraction ?? 0)
    // A mantissa of more than 128 bits, of a number with many zeros at its end, gives them to the exponent.
    while let (quotient, remainder) = dividedByTen(), remainder == 0, words.count > 8 || exponent < -128 {
      words = quotient
      exponent += 1
    }
  }

  private mutating func appendDigit(_ digit: UInt32) {
    var carry = digit
    for index in words.indices {
      let product = UInt32(words[index]) * 10 + carry
      words[index] = UInt16(truncatingIfNeeded: product)
      carry = product >> 16
    }
    if carry > 0 { words.append(UInt16(truncatingIfNeeded: carry)) }
  }

  private func dividedByTen() -> (quotient: [UInt16], remainder: UInt32)? {
    guard !words.isEmpty else { return nil }
    var quotient = words
    var remainder: UInt32 = 0
    for index in words.indices.reversed() {
      let dividend = remainder << 16 | UInt32(words[index])
      quotient[index] = UInt16(truncatingIfNeeded: dividend / 10)
      remainder = dividend % 10
    }
    while quotient.last == 0 { quotient.removeLast() }
    return (quotient, remainder)
  }

  var fields: [PropertyListValue.Entry] {
    let mantissa = (0..<16).map { index in
      let word = words.indices.contains(index / 2) ? words[index / 2] : 0
      return UInt8(truncatingIfNeeded: word >> UInt16(index % 2 * 8))
    }
    return [
      .init("NS.exponent", .integer(Int64(exponent))), .init("NS.length", .integer(Int64(words.count))),
      .init("NS.negative", .boolean(isNegative)), .init("NS.compact", .boolean(true)),
      .init("NS.mantissa.bo", .integer(1)), .init("NS.mantissa", .data(Data(mantissa))),
    ]
  }

  /// Nil if the fields are not decimal.
  init?(_ object: ArchivedObject) {
    guard case .data(let mantissa) = object["NS.mantissa"], let exponent = object.integer("NS.exponent"),
      (-128...127).contains(exponent), mantissa.count >= 16
    else { return nil }
    // Byte order 2 is big endian.
    let bytes = [UInt8](mantissa)
    let bigEndian = object.integer("NS.mantissa.bo") == 2
    let length = min(max(Int(object.integer("NS.length") ?? 8), 0), 8)
    words = (0..<length).map { index in
      let (first, second) = (UInt16(bytes[index * 2]), UInt16(bytes[index * 2 + 1]))
      return bigEndian ? first << 8 | second : second << 8 | first
    }
    self.exponent = Int(exponent)
    isNegative = object.flag("NS.negative")
  }

  var decimal: Decimal {
    var significand = Decimal(0)
    for word in words.reversed() { significand = significand * 65536 + Decimal(Int(word)) }
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
  }
}
