/// A position in a text file, both counted from 1; columns count characters (Unicode scalars).
public struct SourceLocation: Hashable, Sendable, Comparable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A stretch of a text file; `end` is the position after its last character.
public struct SourceRange: Hashable, Sendable {
  /// The path as the user would write it.
  public var file: String
  public var start: SourceLocation
  public var end: SourceLocation

  public init(file: String, start: SourceLocation, end: SourceLocation) {
    self.file = file
    self.start = start
    self.end = end
  }
}

/// What in a model a finding is about, from the whole version down to one key of one property.
public struct ModelSubject: Hashable, Sendable {
  public var version: String?
  public var entity: String?
  public var property: String?
  /// The key within the entity or property, in the words of the model language: `inverse`, `default`.
  public var key: String?

  public init(version: String? = nil, entity: String? = nil, property: String? = nil, key: String? = nil) {
    self.version = version
    self.entity = entity
    self.property = property
    self.key = key
  }
}

/// Where each part of a model stands in its source; kept beside the model, so that models stay plain values.
public struct SourceMap: Hashable, Sendable {
  public var file: String
  private var ranges: [ModelSubject: SourceRange] = [:]

  public init(file: String) { self.file = file }

  public subscript(subject: ModelSubject) -> SourceRange? {
    get {
      var subject = subject
      subject.version = nil
      return ranges[subject]
    }
    set {
      var subject = subject
      subject.version = nil
      ranges[subject] = newValue
    }
  }

  /// The place of the subject, or of the nearest part around it, or the file's beginning.
  public func nearestRange(to subject: ModelSubject) -> SourceRange {
    var candidates = [subject]
    candidates.append(ModelSubject(entity: subject.entity, property: subject.property))
    candidates.append(ModelSubject(entity: subject.entity))
    for candidate in candidates {
      if let range = self[candidate] { return range }
    }
    let start = SourceLocation(line: 1, column: 1)
    return SourceRange(file: file, start: start, end: start)
  }
}

extension Diagnostic {
  /// The same finding with its place filled in from its subject, where it has none yet.
  public func located(by map: SourceMap) -> Diagnostic {
    guard place == nil, let subject else { return self }
    var located = self
    located.place = map.nearestRange(to: subject)
    return located
  }
}
