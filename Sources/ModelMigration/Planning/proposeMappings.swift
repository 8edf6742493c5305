import ManagedModel

extension [Diagnostic] {
  /// Adds to the refusals of each step the mapping model that would carry it out, as a file to paste.
  ///
  /// A step has one file. Where several changes are refused, the file is at the last one and covers all.
  ///
  /// - Parameters:
  ///   - path: the versions on the way; a finding belongs to the step into the version that it names.
  ///   - modelName: tells the folder under `Migrations/`.
  ///   - dateFormats: of texts that become dates, by `Entity.attribute` of the destination.
  ///   - custom: writes the file, see ``CustomMigrations/mappingFile``, without which nothing is proposed; where it maps the
  ///     same entities already, the file is its author's to change.
  package func proposingMappings(
    path: [ModelVersion], modelName: String, dateFormats: [String: String] = [:],
    by custom: CustomMigrations
  ) -> [Diagnostic] {
    var proposed = ordered
    for (from, to) in zip(path, path.dropFirst()) {
      let lost = Set(proposed.filter { $0.severity == .error && $0.code == .droppedData }.map(\.subject))
      let indices = proposed.indices.filter {
        // References that would be dropped can be mapped.
        let isRefused =
          proposed[$0].severity == .error
          || proposed[$0].code == .relationshipDestinationChanged && lost.contains(proposed[$0].subject)
        return isRefused && proposed[$0].subject?.version == to.name
      }
      // An app with SwiftData has stages and no mapping models.
      if to.notation == .swiftData {
        for index in indices { proposed[index].help = proposed[index].swiftHelp ?? proposed[index].help }
        continue
      }
      // A file cannot name what is no version of the model.
      if from.name == MigrationPlan.ownModelName { continue }
      // A narrowed number is a loss that may be accepted; among others nothing is decided about it.
      let decided = indices.filter { indices.count == 1 || proposed[$0].code != .numericNarrowing }
      let isUnstated = decided.allSatisfy { proposed[$0].code == .mappingWanted }
      let empty = CustomMappingModel(sourceVersionName: from.name, destinationVersionName: to.name)
      let suggestion = (decided.map { proposed[$0] }).suggestedMapping(
        from: from, to: to, dateFormats: dateFormats)
      let answered = decided.filter {
        proposed[$0].code == .mappingWanted || [proposed[$0]].suggestedMapping(from: from, to: to) != nil
      }
      let written = custom.mappingModels(of: modelName, from: from.name, to: to.name).flatMap(
        \.entityMappings)
      guard let mappingFile = custom.mappingFile, let last = answered.last,
        let mapping = suggestion ?? (isUnstated ? empty : nil),
        !mapping.entityMappings.contains(where: { own in
          written.contains { other in
            own.name == other.name
              || own.sourceEntityName == other.sourceEntityName
                && own.destinationEntityName == other.destinationEntityName
          }
        })
      else { continue }
      let file = "'Migrations/\(modelName)/\(from.name)-\(to.name).yaml'"
      let words =
        isUnstated
        ? "if the inferred mapping is right, confirm it in \(file):"
        : answered.count == 1 ? "or map it, in \(file):" : "or map these \(answered.count), in \(file):"
      proposed[last].proposal = Diagnostic.Proposal(words, text: mappingFile([mapping]))
    }
    return proposed
  }
}

extension Diagnostic {
  /// What to do where somebody writes classes and stages; nil if its own help says it.
  package var swiftHelp: [String]? {
    switch code {
    case .incompatibleAttributeTypes:
      ["keep the property, add one with another name, and fill that in the didMigrate of a custom stage"]
    case .missingAttributeValues:
      // Of a member of a struct; other properties can have a default.
      (subject?.property?.split(separator: ".", maxSplits: 1)).flatMap { parts in
        parts.count < 2
          ? nil
          : ["leave '\(parts[0])' optional, or its '\(parts[1])': columns of members get no defaults"]
      }
    case .oneDefaultForAll:
      ["make it optional, and give each object a value of its own in the didMigrate of a custom stage"]
    case .duplicateValues:
      ["delete or change the duplicates in the willMigrate of a custom stage to this schema"]
    case .storageFormChanged: ["leave `.externalStorage` as it is"]
    default: nil
    }
  }
}
