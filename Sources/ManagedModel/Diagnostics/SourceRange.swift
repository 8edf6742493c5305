/// A position in a text file, both counted from 1; columns count characters (Unicode scalars).
public struct SourceLocation: Hashable, Sendable, Comparable {
  /// From 1.
  public var line: Int
  /// From 1.
  public var column: Int

  package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

  /// The earlier place in the file.
  public static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A stretch of a text file; `end` is the position after its last character.
public struct SourceRange: Hashable, Sendable {
  /// The path as the user would write it.
  public var file: String
  /// The first character.
  public var start: SourceLocation
  /// The place behind the last character.
  public var end: SourceLocation

  package init(file: String, start: SourceLocation, end: SourceLocation) {
    (self.file, self.start, self.end) = (file, start, end)
  }

  /// The beginning of a file, for findings about all of it, or of one of its lines.
  package init(startOf file: String, line: Int = 1) {
    let start = SourceLocation(line: line, column: 1)
    self.init(file: file, start: start, end: start)
  }
}

/// What in a model a finding is about, from the whole version down to one key of one property.
package struct ModelSubject: Hashable, Sendable {
  package var version: String?
  package var entity: String?
  package var property: String?
  /// The key within the entity or property, in the words of the model language: `inverse`, `default`.
  package var key: String?

  package init(version: String? = nil, entity: String? = nil, property: String? = nil, key: String? = nil) {
    (self.version, self.entity, self.property, self.key) = (version, entity, property, key)
  }

  /// `Entity` or `Entity.property`.
  package var fullName: String { [entity, property].compactMap(\.self).joined(separator: ".") }

  var inAnyVersion: ModelSubject { ModelSubject(entity: entity, property: property, key: key) }
}
