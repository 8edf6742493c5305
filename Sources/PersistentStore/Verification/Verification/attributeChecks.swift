import GRDB
package import ManagedModel

extension RowScan {
  /// Checks of the values of a table's attributes: required ones are there, all are of their type and within the model's
  /// bounds.
  ///
  /// Core Data checks the same before a save. A null passes every rule but that of being required.
  mutating func addAttributeChecks(of table: TableLayout, in store: VerifiedStore, db: Database) {
    for column in table.columns {
      guard case .attribute(let reference) = column.role, let leaf = store.leaves[reference] else { continue }
      let subject = CheckedColumn(
        reference: reference, leaf: leaf, value: "t.\(column.name.quotedIdentifier)",
        declaredType: column.declaredType)
      let isOfAll = store.isKind("t", of: reference.entity) == nil
      for var check in subject.typeChecks + subject.ruleChecks(in: store, db: db) {
        check.condition = store.among(reference.entity, check.condition)
        if !isOfAll { check.firstLook = .condition }
        self.check(check)
      }
    }
  }
}

/// An attribute's column in the scan of its table.
struct CheckedColumn {
  var reference: PropertyReference
  var leaf: StoredLeaf
  /// SQL.
  var value: String
  var declaredType = ""

  var attribute: AttributeDescription { leaf.attribute }

  func check(
    _ condition: String, rule: String = "",
    _ diagnostic: @escaping @Sendable (_ count: Int) -> Diagnostic
  ) -> RowCheck {
    RowCheck(condition: condition, value: value, rule: rule, diagnostic: diagnostic)
  }

  /// That a value is there, and of the type: for a required one a single question covers both.
  fileprivate var typeChecks: [RowCheck] {
    let (reference, type) = (reference, attribute.type)
    let misfit = misfit(
      value, type, usesExternalStorage: attribute.allowsExternalBinaryDataStorage, declaredType: declaredType)
    var check = self.check("\(value) IS NOT NULL AND (\(misfit))") {
      .values(
        .valueOfOtherType, of: reference, $0, "does not hold a valid \(type.name)",
        notes: ["Core Data reads a different value there, or fails"], help: [Diagnostic.valuesMending])
    }
    check.firstLook = .breaks(misfit)
    guard !leaf.isOptional, !attribute.isDerived else { return [check] }
    var required = self.check("\(value) IS NULL") {
      Diagnostic(
        .requiredValueMissing, .error,
        "\(objects($0, of: reference.entity)) \(verb($0, "lacks", "lack")) the required '\(reference.property)'",
        subject: ModelSubject(reference), help: [Diagnostic.valuesMending], cocoaCode: 1570)
    }
    required.firstLook = .holds(fit(unless: misfit))
    check.firstLook = .covered
    return [check, required]
  }

  /// That a cell holds a value of the attribute's type: the opposite of ``misfit(_:_:usesExternalStorage:declaredType:)``
  /// where the cell is not null, and not true if it is.
  private func fit(unless misfit: String) -> String {
    let value = "(\(value) COLLATE BINARY)"
    let isWhole = declaredType.uppercased().contains("INT")
    switch attribute.type {
    case .boolean where isWhole: return "\(value) IN (0, 1)"
    case .integer16 where isWhole:
      return "\(value) BETWEEN -32768 AND 32767 AND \(value) = CAST(\(value) AS INTEGER)"
    case .integer32 where isWhole:
      return "\(value) BETWEEN -2147483648 AND 2147483647 AND \(value) = CAST(\(value) AS INTEGER)"
    case .integer64 where isWhole: return "\(value) = CAST(\(value) AS INTEGER)"
    case .decimal: return "(\(value) < '' OR \(value) = 'NaN')"
    case .double, .float, .date: return "\(value) < ''"
    case let type where type.isText:
      return "\(value) >= '' AND \(value) < x'' AND \(textFunction)(\(value))"
    default: return "NOT (\(misfit))"
    }
  }
}

extension Diagnostic.Code {
  package static let requiredValueMissing = Self("MC6103")
  package static let valueOfOtherType = Self("MC6116")
}

extension Diagnostic {
  /// That the values of a property are not as the model has them.
  ///
  /// - Parameters:
  ///   - count: how many objects have such a value.
  ///   - what: what is wrong with them, as what follows "'price' of 3 objects of 'Item'".
  static func values(
    _ code: Code, _ severity: Severity = .error, of property: PropertyReference, _ count: Int,
    _ what: String, notes: [Note] = [], help: [String], cocoaCode: Int? = nil
  ) -> Self {
    Self(
      code, severity, "'\(property.property)' of \(objects(count, of: property.entity)) \(what)",
      subject: ModelSubject(property), notes: notes, help: help, cocoaCode: cocoaCode)
  }

  static var valuesMending: String { "give them valid values with the app before they are next saved" }
}

extension ModelSubject {
  init(_ reference: PropertyReference) { self.init(entity: reference.entity, property: reference.property) }
}
