/// How values of a Swift type stand in a row: in JSON and in archives, whose parts no column and no hash tells, or as raw
/// values.
///
/// The gate compares two of them, a frozen schema is written from one, and generated rows follow it.
package struct ValueCoding: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    /// A struct, or what a case holds: an object with a key for each member.
    case members
    /// An enum without raw values: an object whose one key is the case.
    case cases
    /// An enum with raw values: one of those.
    case rawValues
  }

  /// A member, or a case.
  package struct Part: Hashable, Sendable {
    /// As Swift calls it.
    package var name: String
    /// What stands in a row for it: its key, or the raw value. Nil if it is not written, or where the source does not tell.
    package var key: String?
    /// Of a member its type, as `UInt8` and `Array<Step>`; of a case the composite of what it holds, or the raw values' type.
    package var type: String?
    /// As it is declared: each element of an optional property's composite is optional.
    package var isOptional: Bool
    /// Whether a decoder takes it as it is: no `let` with a value, and nothing that a wrapper reads.
    package var isRead: Bool
    /// What a member begins with, where the source tells it.
    package var value: DefaultValue?
    /// Whether its key stands there also where it is nil: of a generic type's parameter no decoder knows that it is optional.
    package var writesNil = false

    package init(
      _ name: String, key: String?, type: String? = nil, isOptional: Bool = false, isRead: Bool = true,
      value: DefaultValue? = nil
    ) {
      (self.name, self.key, self.type, self.isOptional) = (name, key, type, isOptional)
      (self.isRead, self.value) = (isRead, value)
    }
  }

  package var form: Form
  package var parts: [Part]
  /// What the enum of the keys is called; of what the case `round` holds `RoundCodingKeys`.
  package var keysName = "CodingKeys"
  /// Whether code of its own reads it, and writes it.
  package var (readsItself, writesItself) = (false, false)
  /// Of what is `RawRepresentable` by code of its own, the type of the raw value that stands for it in JSON.
  package var rawType: String?

  package init(_ form: Form, _ parts: [Part]) { (self.form, self.parts) = (form, parts) }

  package subscript(name: String) -> Part? { parts.first { $0.name == name } }
  package subscript(key key: String?) -> Part? { key.flatMap { key in parts.first { $0.key == key } } }

  /// With the cases of another one, too: a raw value whose case has got another one, under a name of its own.
  func withCases(of other: Self) -> Self {
    guard form == other.form, form != .members else { return self }
    var all = self
    for var part in other.parts where part.key != nil && self[key: part.key] == nil {
      if form == .rawValues, self[part.name] != nil { part.name += "Before" }
      if self[part.name] == nil { all.parts.append(part) }
    }
    return all
  }

  /// Whether not all keys are the names.
  package var hasOwnKeys: Bool { form != .rawValues && parts.contains { $0.key != $0.name } }

  /// What is not as Swift has it where nothing is said: all else follows from the model's elements.
  var facts: [String] {
    (rawType.map { ["is \($0)"] } ?? [])
      + parts.flatMap { part in
        (part.key == part.name || form == .rawValues ? [] : ["\(part.name) = \(part.key ?? "")"])
          + (part.isRead ? [] : ["\(part.name) is not read"])
          + (part.type?.hasPrefix("UInt") == true ? ["\(part.name): \(part.type ?? "")"] : [])
      }
  }
}

extension ManagedObjectModel {
  /// How a composite's values are coded: as the source says, else as its elements show.
  package func coding(of composite: CompositeDescription) -> ValueCoding {
    if let known = codings[composite.name] { return known }
    let elements = composite.elements
    let cases = elements.filter { $0.type == .string && $0.validation.listedValues == [$0.name] }
    if !elements.isEmpty, cases.count == elements.count {
      return ValueCoding(.cases, elements.map { .init($0.name, key: $0.name) })
    }
    if elements.count == 1, elements[0].name == "rawValue", let values = elements[0].validation.listedValues {
      return ValueCoding(.rawValues, values.map { .init($0, key: $0) })
    }
    return ValueCoding(
      .members,
      elements.map {
        .init($0.name, key: $0.name, type: $0.attributeValueClassName, isOptional: $0.isOptional)
      })
  }
}
