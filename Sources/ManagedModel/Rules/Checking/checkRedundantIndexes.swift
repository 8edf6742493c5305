extension ModelIndex {
  /// An index that another index or a uniqueness constraint replaces costs space and time at every save (MC1503).
  func checkRedundantIndexes(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let indexes = entity.fetchIndexes
    for (position, candidate) in indexes.enumerated() where candidate.isOrdinary {
      let subject = ModelSubject(entity: entity.name, key: "fetchIndexes").part(candidate.name)
      let other = indexes.enumerated().first { otherPosition, other in
        guard otherPosition != position, other.isOrdinary,
          other.partialIndexPredicate == candidate.partialIndexPredicate, other.covers(candidate)
        else { return false }
        // Of two equal ones the later is too many.
        return other.elements.count > candidate.elements.count || otherPosition < position
      }
      if let other {
        let isEqual = other.element.elements == candidate.elements
        findings.append(
          .redundantIndex(candidate, "index \(shown(other.element))", entity.name, subject, isEqual, self))
      } else if candidate.partialIndexPredicate == nil,
        entity.uniquenessConstraints.contains(where: { $0.starts(with: candidate.elements.map(\.property)) })
      {
        findings.append(
          .redundantIndex(
            candidate, "the index of a uniqueness constraint", entity.name, subject, false, self))
      }
    }
    return findings
  }

  /// Whether the model is classes in Swift source.
  var isSwiftSource: Bool { sourceMap?.file.hasSuffix(".swift") == true }

  /// Whether the model is a version of Xcode's.
  var isXcodeSource: Bool { sourceMap?.file.hasSuffix("/contents") == true }

  /// SwiftData's indexes have no names in the source.
  fileprivate func shown(_ index: FetchIndexDescription) -> String {
    isSwiftSource
      ? "[\(index.elements.map { "\\.\($0.property)" }.joined(separator: ", "))]" : "'\(index.name)'"
  }
}

extension FetchIndexDescription {
  /// Whether it is a B-tree over properties.
  fileprivate var isOrdinary: Bool {
    !elements.isEmpty && elements.allSatisfy { $0.collation == .binary && !$0.isExpression }
  }

  /// Whether the other one's elements come first in this one, all in the same direction or all in the opposite one:
  /// SQLite reads an index either way.
  fileprivate func covers(_ other: FetchIndexDescription) -> Bool {
    let pairs = zip(elements, other.elements)
    return other.elements.count <= elements.count && pairs.allSatisfy { $0.property == $1.property }
      && (pairs.allSatisfy { $0.isAscending == $1.isAscending }
        || pairs.allSatisfy { $0.isAscending != $1.isAscending })
  }
}

extension Diagnostic.Code { package static let redundantIndex = Self("MC1503") }

extension Diagnostic {
  /// - Parameter isEqual: whether nothing is lost with it.
  fileprivate static func redundantIndex(
    _ index: FetchIndexDescription, _ other: String, _ entity: String, _ subject: ModelSubject,
    _ isEqual: Bool, _ model: ModelIndex
  ) -> Diagnostic {
    Diagnostic(
      .redundantIndex, .warning, "index \(model.shown(index)) of '\(entity)' is covered by \(other)",
      subject: subject, notes: ["every save writes each index"],
      help: [model.isSwiftSource ? "take `\(model.shown(index))` out of `#Index<\(entity)>`" : "remove it"]
    ).fixed(by: ModelEdit("remove '\(index.name)'", at: subject, .remove, isSafe: isEqual))
  }
}
