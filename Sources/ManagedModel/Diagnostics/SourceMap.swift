/// The text that a model was read from. It finds the place of each part of the model.
///
/// It looks for places only when a finding needs one.
package protocol SourceOutline: AnyObject, Sendable {
  /// The name of a named part, the value of a key, or an element of a list.
  func range(of subject: ModelSubject) -> SourceRange?
  /// The text of a value without its quotation marks; an empty range where only its beginning is known.
  func textRange(of subject: ModelSubject) -> SourceRange?
  /// The edit of the text; nil if it cannot be made there.
  func fixIt(for edit: ModelEdit) -> Diagnostic.FixIt?
}

/// Where each part of a model stands in its source; kept beside the model, so that models stay plain values.
package struct SourceMap: Hashable, Sendable {
  package var file: String
  private var ranges: [ModelSubject: SourceRange] = [:]
  private var outline: (any SourceOutline)?

  package init(file: String) { self.file = file }

  package init(file: String, outline: any SourceOutline) { (self.file, self.outline) = (file, outline) }

  package subscript(subject: ModelSubject) -> SourceRange? {
    get { ranges[subject.inAnyVersion] ?? outline?.range(of: subject.inAnyVersion) }
    set { ranges[subject.inAnyVersion] = newValue }
  }

  /// The place of the subject, or of the nearest part around it, of a schema in Swift source, or the file's beginning.
  package func nearestRange(to subject: ModelSubject) -> SourceRange {
    subject.withSurroundings.lazy.compactMap { self[$0] }.first ?? ranges[ModelSubject()]
      ?? SourceRange(startOf: file)
  }

  /// The text of a value, for findings within it; see ``SourceOutline/textRange(of:)``.
  package func textRange(of subject: ModelSubject) -> SourceRange? {
    outline.map { $0.textRange(of: subject) } ?? self[subject]
  }

  package func fixIt(for edit: ModelEdit) -> Diagnostic.FixIt? { outline?.fixIt(for: edit) }

  package static func == (left: Self, right: Self) -> Bool {
    left.file == right.file && left.ranges == right.ranges && left.outline === right.outline
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(file)
    hasher.combine(ranges)
  }
}

extension ModelSubject {
  /// The subject, then what is around it: a key's own surroundings, the property that a member is of, the entity.
  fileprivate var withSurroundings: [ModelSubject] {
    var found = [self]
    var key = key
    while let inner = key {
      key = inner.lastIndex { $0 == "." || $0 == "[" }.map { String(inner[..<$0]) }
      found.append(ModelSubject(entity: entity, property: property, key: key))
    }
    let whole = property.map { String($0.prefix { $0 != "." }) }
    if whole != property { found.append(ModelSubject(entity: entity, property: whole)) }
    if property != nil { found.append(ModelSubject(entity: entity)) }
    return found
  }
}

extension Diagnostic {
  /// The same finding with its place filled in from its subject, where it has none yet, and with its edits made
  /// for that source.
  package func located(by map: SourceMap) -> Diagnostic {
    var located = self
    if place == nil, let subject { located.place = map.nearestRange(to: subject) }
    located.edits = []
    let fixIts = edits.map { map.fixIt(for: $0) }
    // A finding's edits are made together or not at all.
    if !fixIts.contains(nil) { located.fixIts += fixIts.compactMap(\.self) }
    return located
  }
}
