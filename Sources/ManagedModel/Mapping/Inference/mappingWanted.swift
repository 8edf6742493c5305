extension Diagnostic.Code {
  package static let mappingWanted = Self("MC3407")
}

extension Diagnostic {
  /// That the mapping into a version has to be stated, because `versions.yaml` says `infer: false` for it.
  ///
  /// A step with a custom mapping model always passes, even if it leaves most entities to inference: somebody has looked
  /// at the step.
  static func mappingWanted(from source: String, to destination: ModelVersion) -> Self {
    Self(
      .mappingWanted, .error,
      "the mapping from '\(source)' to '\(destination.name)' must be written in a mapping file",
      subject: ModelSubject(version: destination.name),
      notes: [Note("\(destination.notation.versionListName) says `infer: false` for it")],
      help: ["`modelc map new \(source.shellWord) \(destination.name.shellWord)` starts one"],
      cocoaCode: 134140)
  }
}
