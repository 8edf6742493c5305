extension ModelSubject {
  /// A key below this subject: `inverse` of a property, `Local` of `configurations`.
  package func part(_ name: String) -> ModelSubject {
    var part = self
    part.key = key.map { "\($0).\(name)" } ?? name
    return part
  }

  /// An element of the list that this subject is.
  package func element(_ index: Int) -> ModelSubject {
    var element = self
    element.key = "\(key ?? "")[\(index)]"
    return element
  }
}
