public import Foundation

/// A default value as its source states it.
///
/// The text is kept, so that `1.10` stays the decimal 1.10 and goes back out as it came in.
package enum DefaultValue: Hashable, Sendable, ExpressibleByStringLiteral {
  /// In the textual form of the attribute's type; see ``AttributeValue/init(parsing:as:)``.
  case text(String)
  /// A value of an unknown class, as the keyed archive that holds it.
  case archived(Data)
  /// What an app evaluates when it starts, as SwiftData does.
  case evaluated(EvaluatedDefault)

  package init(stringLiteral value: String) { self = .text(value) }

  /// The text, where the default has one.
  package var text: String? { if case .text(let text) = self { text } else { nil } }
}

/// A default that only a run of the app knows. Raw values are what tells versions apart.
package enum EvaluatedDefault: String, Hashable, Sendable {
  /// `Date()`
  case launchDate = "now()"
  /// `UUID()`
  case uuid = "uuid()"
  /// The plainest value of its type, which source of ours begins with where any will do.
  case plain = "plain()"
  /// What a person has to fill in, because the source does not tell it.
  case placeholder = "placeholder"
  /// What the source alone does not tell.
  case unknown = "unknown"

  /// What `Type()` gives; nil for types of which that is always the same value.
  package init?(ofNew type: AttributeType) {
    switch type {
    case .date: self = .launchDate
    case .uuid: self = .uuid
    default: return nil
    }
  }

  /// The Swift type whose `Type()` it is.
  package var swiftType: String? {
    switch self {
    case .launchDate: "Date"
    case .uuid: "UUID"
    case .plain, .placeholder, .unknown: nil
    }
  }

  /// One value for as long as the program runs, as in an app; nil if it is not known.
  package var value: AttributeValue? {
    switch self {
    case .launchDate: .date(startOfProgram)
    case .uuid: .uuid(launchUUID)
    case .plain, .placeholder, .unknown: nil
    }
  }
}

private let startOfProgram = Date().timeIntervalSinceReferenceDate
private let launchUUID = UUID()

/// One value of an attribute. There is no case for nil: an absent value is a nil `AttributeValue`.
public enum AttributeValue: Hashable, Sendable {
  /// Every integer type.
  case integer(Int64)
  /// Up to 38 digits.
  case decimal(Decimal)
  /// Double and float.
  case double(Double)
  /// Text.
  case string(String)
  /// True or false.
  case boolean(Bool)
  /// Seconds since 2001-01-01 00:00 UTC, Core Data's reference date.
  case date(Double)
  /// Binary, and transformable as its transformer left it.
  case binary(Data)
  /// 16 bytes.
  case uuid(UUID)
  /// The absolute string.
  case uri(String)

  /// Reads the textual form of a value of `type`.
  ///
  /// Integral text with a fraction of zero (`0.0`) is a legal integer; Booleans are `YES`, `NO`, `true`, `false`,
  /// `1`, `0`; a date is ISO 8601 (`2024-05-01`, `2024-05-01T00:00:00Z`) or a number of seconds since the
  /// reference date; binary and transformable values are Base64. Nil if the text is no such value, or out of
  /// the type's range.
  package init?(parsing text: String, as type: AttributeType) {
    // Whoever writes a number or a date of a thousand digits wants to cost time.
    guard text.utf8.count <= 1_000 || type.isText || type == .binary || type == .transformable else {
      return nil
    }
    switch type {
    case .integer16, .integer32, .integer64:
      self.init(integer: text, in: type.traits.integerRange ?? .min ... .max)
    case .decimal:
      guard text.isDecimalLiteral, let value = Decimal(string: text) else { return nil }
      self = .decimal(value)
    case .double, .float:
      guard text.isDecimalLiteral, let value = Double(text), value.isFinite else { return nil }
      if type == .float, !Float(value).isFinite { return nil }
      self = .double(value)
    case .string: self = .string(text)
    case .boolean:
      switch text.lowercased() {
      case "yes", "true", "1": self = .boolean(true)
      case "no", "false", "0": self = .boolean(false)
      default: return nil
      }
    case .date:
      guard let seconds = text.date else { return nil }
      self = .date(seconds)
    case .uuid:
      guard let value = UUID(uuidString: text) else { return nil }
      self = .uuid(value)
    case .uri:
      guard !text.isEmpty, URL(string: text) != nil else { return nil }
      self = .uri(text)
    case .binary, .transformable:
      guard let value = Data(base64Encoded: text) else { return nil }
      self = .binary(value)
    case .undefined, .objectID, .composite: return nil
    }
  }

  private init?(integer text: String, in range: ClosedRange<Int64>) {
    if let value = Int64(text) {
      guard range.contains(value) else { return nil }
      self = .integer(value)
      return
    }
    // Model editors have written `0.0` as an integer's default.
    guard text.isDecimalLiteral, let exact = Decimal(string: text),
      let value = Int64("\(exact)"), range.contains(value)
    else { return nil }
    self = .integer(value)
  }

  /// The textual form that ``init(parsing:as:)`` reads back to an equal value.
  package var text: String {
    switch self {
    case .integer(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value), .uri(let value): value
    case .boolean(let value): value ? "true" : "false"
    case .date(let seconds): seconds.formattedDate
    case .binary(let data): data.base64EncodedString()
    case .uuid(let value): value.uuidString
    }
  }

  /// As an attribute of the type holds it: a float has 24 bits, so its 0.1 is the double 0.10000000149011612.
  package func held(by type: AttributeType) -> AttributeValue {
    if case .double(let number) = self, type == .float { .double(Double(Float(number))) } else { self }
  }

  /// Whether it is a value of the type, its size apart; a value of whatever class is bytes.
  package func isValue(of type: AttributeType) -> Bool {
    switch (self, type) {
    case (.integer, _): type.isInteger
    case (.decimal, .decimal), (.double, .double), (.double, .float), (.string, .string): true
    case (.boolean, .boolean), (.date, .date), (.uuid, .uuid), (.uri, .uri): true
    case (.binary, .binary), (.binary, .transformable): true
    default: false
    }
  }
}
