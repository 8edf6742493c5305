package import ManagedModel

extension VersionedModel {
  /// A required property without a default under a lightweight stage (MC2613).
  func checkLightweightStages() -> [Diagnostic] {
    zip(versions, versions.dropFirst()).flatMap { former, version -> [Diagnostic] in
      guard customStage(from: former, to: version) == nil else { return [] }
      return version.model.entities.flatMap { entity -> [Diagnostic] in
        guard let old = former.model.entities.first(where: { $0.name == entity.name }) else { return [] }
        let known = Set(old.attributes.flatMap { [$0.name, $0.canonicalName] })
        return entity.attributes.filter {
          !$0.isOptional && $0.defaultValue == nil && !$0.isTransient && !known.contains($0.canonicalName)
            && !known.contains($0.name)
        }.map { attribute in
          let subject = ModelSubject(version: version.name, entity: entity.name, property: attribute.name)
          return Diagnostic(
            .newRequirement, .error,
            "'\(entity.name.visible).\(attribute.name.visible)' is required, has no default, and '\(former.name.visible)' has no values for it",
            subject: subject, place: version.sourceMap?.nearestRange(to: subject),
            notes: ["a lightweight stage stops at the first object: the store no longer opens"],
            help: [
              attribute.requiredPropertyAdvice,
              "or fill it in a custom stage, from an optional property to a required one in two versions",
            ], cocoaCode: 134110)
        }
      }
    }
  }
}

extension Diagnostic.Code { package static let newRequirement = Self("MC2613", level: .path) }
