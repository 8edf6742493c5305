package import ManagedModel

extension VersionStep {
  /// New binary attributes without external storage: values lie in the store's pages, however large (MC7020).
  func checkLargeBinaries() -> [Diagnostic] {
    new.model.entities.flatMap { entity in
      after.members(in: entity.attributes).filter { attribute in
        attribute.type == .binary && !attribute.allowsExternalBinaryDataStorage
          && before.attribute(named: attribute.canonicalName, of: entity.canonicalName) == nil
          && before.attribute(named: attribute.name, of: entity.name) == nil
      }.map { .binaryInStore($0.name, entity.name, self) }
    }
  }
}

extension Diagnostic.Code {
  package static let binaryInStore = Self("MC7020", level: .source)
}

extension Diagnostic {
  fileprivate static func binaryInStore(_ name: String, _ entity: String, _ step: VersionStep) -> Self {
    Self(
      .binaryInStore, .warning, "the new binary '\(entity).\(name)' has no external storage",
      subject: step.subject(entity, name),
      notes: ["large values make every scan of the table and every migration of it slow"],
      help: [
        (step.new.notation == .language
          ? "`externalStorage: true`"
          : step.new.notation == .xcode
            ? "Allows External Storage in Xcode" : "`@Attribute(.externalStorage)`")
          + " lets large values lie in files beside the store"
      ])
  }
}
