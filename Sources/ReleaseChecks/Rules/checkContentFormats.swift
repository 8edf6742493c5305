package import ManagedModel

extension VersionStep {
  /// Bytes with a new meaning while the hashes stay equal (MC7007): no store is migrated.
  func checkContentFormats() -> [Diagnostic] {
    let facts = ["transformer", "valueClass"]
    return changes.filter { change in
      facts.contains(change.fact ?? "") && change.property != nil && !change.isHashed
        && !isMadeSecure(change)
        && !changes.contains {
          $0.entity == change.entity && $0.property == change.property
            && ["versionHashModifier", "type"].contains($0.fact)
        }
    }.map { change in
      let place = subject(change.entity, change.property, change.fact)
      return Diagnostic(
        .contentFormatChanged, .warning, "\(change.line), which is in no version hash", subject: place,
        notes: ["no migration changes the old bytes: the app reads them as if they were new"],
        help: [
          new.notation.hashModifierAdvice(place.fullName)
            + " and convert the values, or read both forms in the transformer"
        ])
    }
  }
}

/// Whether the transformer became the secure one that MC1208 asks for. It reads what the insecure ones wrote.
private func isMadeSecure(_ change: ModelChange) -> Bool {
  guard change.fact == "transformer", let new = change.new else { return false }
  return secure.contains(new) && (change.old.map(insecure.contains) ?? true)
}

private let secure: Set = ["NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer"]
private let insecure: Set = [
  "", "none", "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
]

extension Diagnostic.Code { package static let contentFormatChanged = Self("MC7007", level: .path) }
