import Foundation
import ManagedModel

extension VersionReader {
  /// The default that a property's initial value gives its attribute; nil if the source does not say it.
  ///
  /// SwiftData takes the value that the initialiser has when the schema is made.
  func defaultValue(
    _ value: SwiftExpression, _ type: AttributeType, _ stored: StoredType, in scope: Scope, depth: Int = 0
  ) -> DefaultValue? {
    // `Limits.most` and `Kind.standard`, whose names lead to what they are.
    if depth < 8, let constant = table.variable(named: value, from: scope), constant.variable.isConstant,
      let inner = constant.variable.value
    {
      return defaultValue(inner, type, stored, in: constant.scope, depth: depth + 1)
    }
    if case .value(let entry) = stored, let raw = rawValue(value, of: entry, type) { return .text(raw) }
    switch value.form {
    case .array(let elements) where elements.isEmpty && type == .transformable: return .evaluated(.plain)
    // `[String: Int]()`, and `Place()`, whose members all begin with nil.
    case .call(let called, let arguments)
    where arguments.isEmpty
      && (type == .transformable && called.isLiteralType || isMade(by: called, stored, in: scope)):
      return .evaluated(.plain)
    case _ where stored.isOwnValue: return nil
    case .string(let text) where type.isText: return .text(text)
    case .integer(let text) where type.isNumeric, .floating(let text) where type.isNumeric:
      return AttributeValue(parsing: text, as: type) == nil ? nil : .text(text)
    case .boolean(let isTrue) where type == .boolean: return .text(isTrue ? "true" : "false")
    case .call(let called, let arguments): return constructed(called, arguments, type)
    // `Status.active.rawValue`, unless the enum itself says what that is.
    case .member(of: let base?, "rawValue"):
      guard depth < 8, let named = table.inferred(from: base, in: scope),
        case .value(let entry) = table.stored(named, from: scope), rawType(of: entry)?.type == type,
        !entry.members.variables.contains(where: { $0.name == "rawValue" })
      else { return nil }
      return defaultValue(base, type, .value(entry), in: scope, depth: depth + 1)
    case .member(of: let base, let name):
      // `.zero` and `Date.now`; what another type calls so is its own.
      guard base.map({ $0.names?.last.flatMap { attributeTypesBySwiftName[$0] } == type }) ?? true else {
        return nil
      }
      return constant(name, type)
    case .unwrapped(let value), .typed(_, let value?):
      return defaultValue(value, type, stored, in: scope, depth: depth)
    default: return nil
    }
  }

  private func isMade(by called: SwiftExpression, _ stored: StoredType, in scope: Scope) -> Bool {
    guard case .value(let entry) = stored, entry.declaration.kind == .struct else { return false }
    return table.entry(called.asType, from: scope)?.path == entry.path
      && entry.storedMembers.allSatisfy { member in
        if case .optional? = member.type { member.value?.isNil ?? true } else { false }
      }
  }

  private func constructed(
    _ called: SwiftExpression, _ arguments: [SwiftArgument], _ type: AttributeType
  ) -> DefaultValue? {
    guard let names = called.names ?? (called.isInit ? [] : nil), names.count < 3 else { return nil }
    // A function of that name can give anything.
    guard names.last.map({ $0 == "init" || attributeTypesBySwiftName[$0] != nil }) ?? true else { return nil }
    guard let first = arguments.first else {
      if let value = EvaluatedDefault(ofNew: type) { return .evaluated(value) }
      switch type {
      case .string, .binary: return .text("")
      case .boolean: return .text("false")
      default: return type.isNumeric ? .text("0") : nil
      }
    }
    guard arguments.count == 1 else { return nil }
    switch (type, first.label, first.value.form) {
    case (_, let label?, .string(let text)) where label == type.traits.swiftTextLabel:
      return AttributeValue(parsing: text, as: type) == nil ? nil : .text(text)
    case (.date, let label?, .integer(let text)), (.date, let label?, .floating(let text)):
      guard let seconds = Double(text) else { return nil }
      switch label {
      case "timeIntervalSinceReferenceDate": return .text(AttributeValue.date(seconds).text)
      case "timeIntervalSince1970":
        return .text(AttributeValue.date(seconds - Date.timeIntervalBetween1970AndReferenceDate).text)
      case "timeIntervalSinceNow" where seconds == 0: return .evaluated(.launchDate)
      default: return nil
      }
    case (_, nil, .integer(let text)) where type.isNumeric,
      (_, nil, .floating(let text)) where type.isNumeric:
      return AttributeValue(parsing: text, as: type) == nil ? nil : .text(text)
    case (.string, nil, .string(let text)): return .text(text)
    default: return nil
    }
  }

  private func constant(_ name: String, _ type: AttributeType) -> DefaultValue? {
    switch (type, name) {
    case (.date, "now"): .evaluated(.launchDate)
    case (.date, "distantPast"):
      .text(AttributeValue.date(Date.distantPast.timeIntervalSinceReferenceDate).text)
    case (.date, "distantFuture"):
      .text(AttributeValue.date(Date.distantFuture.timeIntervalSinceReferenceDate).text)
    case (_, "zero") where type.isNumeric: .text("0")
    default: nil
    }
  }

  /// `.daily` or `Frequency.daily`, as the raw value of the case.
  private func rawValue(_ value: SwiftExpression, of entry: TypeEntry, _ type: AttributeType) -> String? {
    guard case .member(of: _, let name) = value.form, rawType(of: entry) != nil else { return nil }
    return rawValues(of: entry, type).first { $0.name == name }?.text
  }

  /// The raw value of each case, but for those that the source does not tell.
  func rawValues(of entry: TypeEntry, _ type: AttributeType) -> [(name: String, text: String)] {
    var next: Int64 = 0
    var values: [(name: String, text: String)] = []
    for member in entry.members.cases {
      if case .integer(let text)? = member.rawValue?.form { next = Int64(text) ?? next }
      let raw: String? =
        switch member.rawValue?.form {
        case .string(let text), .floating(let text), .integer(let text): text
        case nil: type == .string ? member.name : "\(next)"
        default: nil
        }
      // `1` and `1.0` are one Double.
      let value = raw.flatMap { AttributeValue(parsing: $0, as: type) }
      if let value { values.append((member.name, value.text)) }
      next = next < .max ? next + 1 : next
    }
    return values
  }
}

extension StoredType {
  /// What of a default is a UUID that is made anew, or a time: "" for all of it, `.id` for a member of a struct.
  func freshMembers(of value: SwiftExpression) -> [String] {
    if value.isFreshIdentifier || value.isTimeOfLaunch { return [""] }
    guard case .call(let called, let arguments) = value.form, arguments.isEmpty else { return [] }
    return switch self {
    // A function's; a constant one is rather a `static let`.
    case .scalar(let type) where type.swiftDataType == "UUID": [""]
    case .value(let entry) where called.isInit || called.names?.last == entry.name:
      entry.storedMembers.filter { $0.value?.isFreshIdentifier == true }.map { ".\($0.name)" }
    default: []
    }
  }
}

extension SwiftExpression {
  /// `UUID()`, `UUID().uuidString.lowercased()`.
  fileprivate var isFreshIdentifier: Bool {
    switch form {
    case .call(let called, let arguments):
      arguments.isEmpty && (called.names?.last == "UUID" || called.isFreshIdentifier)
    case .member(of: let base?, _): base.isFreshIdentifier
    default: false
    }
  }

  /// `Date().timeIntervalSince1970`, `Date.now.timeIntervalSinceReferenceDate`.
  fileprivate var isTimeOfLaunch: Bool {
    guard case .member(of: let date?, let name) = form,
      ["timeIntervalSince1970", "timeIntervalSinceReferenceDate"].contains(name)
    else { return false }
    return switch date.form {
    case .call(let called, let arguments): arguments.isEmpty && called.names == ["Date"]
    case .member(of: let type?, "now"): type.names == ["Date"]
    default: false
    }
  }
}
