package import ManagedModel

extension VersionStep {
  /// With the CloudKit profile: changes that its schema in production cannot follow (MC7012).
  ///
  /// Apple, "Creating a Core Data Model for CloudKit": record types and fields cannot be deleted, renamed or retyped
  /// after they were promoted.
  func checkAdditiveChanges() -> [Diagnostic] {
    guard new.model.profile == .cloudKit else { return [] }
    return changes.filter { change in
      switch change.kind {
      case .removed: change.entity != nil && change.fact == nil
      case .renamed: change.entity != nil
      case .changed: change.property != nil && ["type", "to", "max", "transient"].contains(change.fact ?? "")
      case .added, .moved: false
      }
    }.map {
      Diagnostic(
        .changeNotAdditive, .warning, "\($0.line): CloudKit's schema in production only grows",
        subject: subject($0.entity, $0.property, $0.fact),
        notes: ["released apps still read and write the old fields, and the records keep them"],
        help: ["add a new entity or attribute beside the old one, and stop using that"], cocoaCode: 134060)
    }
  }
}

extension Diagnostic.Code {
  package static let changeNotAdditive = Self("MC7012")
}
