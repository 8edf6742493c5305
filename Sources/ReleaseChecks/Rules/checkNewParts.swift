package import ManagedModel

extension VersionStep {
  /// New names against the custom (MC7021): entities begin with a capital letter, properties with a small one.
  func checkNaming() -> [Diagnostic] {
    var found: [Diagnostic] = []
    func add(_ name: String, _ rule: String, _ subject: ModelSubject) {
      found.append(
        Diagnostic(
          .unusualName, .warning, "'\(name)': \(rule)", subject: subject,
          notes: ["a name can be changed freely only until its version is released"],
          help: [
            "rename it now; or if it is intended, "
              + new.notation.allowingAdvice(.unusualName, at: subject.fullName)
          ]))
    }
    for entity in new.model.entities {
      if before.entity(named: entity.name) == nil, entity.name.first?.isLowercase == true {
        add(entity.name, "an entity's name begins with a capital letter", subject(entity.name))
      }
      for name in entity.attributes.map(\.name) + entity.relationships.map(\.name)
      where name.first?.isUppercase == true && before.attribute(named: name, of: entity.name) == nil
        && before.relationship(named: name, of: entity.name) == nil
      {
        add(name, "a property's name begins with a small letter", subject(entity.name, name))
      }
    }
    return found
  }

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
              + " stores large values in files next to the store"
          ])
      }
    }
  }
}

extension Diagnostic.Code {
  package static let binaryInStore = Self("MC7020", level: .source)
  package static let unusualName = Self("MC7021", level: .source)
}
