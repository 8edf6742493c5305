package import ManagedModel

extension VersionStep {
  /// New binary attributes without external storage: values lie in the store's pages, however large (MC7020).
  func checkLargeBinaries() -> [Diagnostic] {
    new.model.entities.flatMap { entity in
      after.members(in: entity.attributes).filter { attribute in
        attribute.type == .binary && !attribute.allowsExternalBinaryDataStorage
          && before.attribute(named: attribute.canonicalName, of: entity.canonicalName) == nil
          && before.attribute(named: attribute.name, of: entity.name) == nil
      }.map {
        Diagnostic(
          .binaryInStore, .warning, "the new binary '\(entity.name).\($0.name)' has no external storage",
          subject: subject(entity.name, $0.name),
          notes: ["large values make every scan of the table and every migration of it slow"],
          help: [
            (new.notation == .language
              ? "`externalStorage: true`"
              : new.notation == .xcode
                ? "Allows External Storage in Xcode" : "`@Attribute(.externalStorage)`")
              + " lets large values lie in files beside the store"
          ])
      }
    }
  }
}

extension Diagnostic.Code {
  package static let binaryInStore = Self("MC7020", level: .source)
}
