import ManagedModel
import PersistentStore

/// The format of a store's texts that become dates: how many texts there are, and those that are not dates of the format, with
/// the first objects that have them.
typealias DateFormatFit = (format: String, texts: Int, misfits: KeySample)

extension Survey {
  /// For every text that is to become a date, the format that most of the store's texts have; by `Entity.attribute` of
  /// the destination. Where none has any, nothing.
  func dateFormats(for findings: [Diagnostic]) throws -> [String: DateFormatFit] {
    guard let source = path.first, let target = path.dropFirst().first else { return [:] }
    let wanted = findings.filter {
      $0.code == .incompatibleAttributeTypes && $0.subject?.version == target.name
    }
    if wanted.isEmpty { return [:] }
    db.registerExpressionFunctions()
    let (schema, _) = physical.bound(to: source.model)
    let mappings = inferMappingModel(from: source, to: target).mappingModel
    let (before, after) = (EntityHierarchy(source.model), EntityHierarchy(target.model))
    var fits: [String: DateFormatFit] = [:]
    for finding in wanted {
      guard let entity = finding.subject?.entity, let property = finding.subject?.property,
        let new = after.attribute(named: property, of: entity), new.type == .date
      else { continue }
      let places = after.descendantNames(includingSelf: entity).flatMap { mappings.mappings(toEntity: $0) }
        .compactMap { mapping -> TextPlace? in
          guard let from = mapping.sourceEntityName,
            let name = mapping.propertyMapping(named: property)?.value.sourceName,
            before.attribute(named: name, of: from)?.type == .string
          else { return nil }
          return (from, name, nil)
        }
      fits["\(entity).\(property)"] = try bestFormat(of: places, as: new, schema, source.model)
    }
    return fits
  }

  private func bestFormat(
    of places: [TextPlace], as attribute: AttributeDescription, _ schema: StoreSchema,
    _ model: ManagedObjectModel
  ) throws -> DateFormatFit? {
    func misfits(_ format: String, of places: [TextPlace]) throws -> KeySample? {
      var sum = KeySample()
      for place in places {
        let path = Expression.keyPath(keys(of: place.attribute), of: .variable("source"))
        guard let expression = try? parseExpression("parseDate(\(path), \(format.expressionLiteral()))"),
          let compiler = try? RowCompiler(place.entity, schema: schema, model: model)
        else { return nil }
        let found = try db.countFailedConversions(
          of: expression, as: attribute, by: compiler, where: nil, upTo: place.lastKey)
        guard let found else { return nil }
        sum.add(found)
      }
      return sum
    }
    // Every format is tried on the first rows, and the one that most of them have on all.
    let first = try places.map { place -> TextPlace in
      let table = schema.table(ofEntity: place.entity)?.name
      return (
        place.entity, place.attribute, try table.flatMap { try primaryKey(db, atRow: 1000, ofTable: $0) }
      )
    }
    guard let sample = try misfits(noFormat, of: first)?.count, sample > 0 else { return nil }
    var best: (format: String, misfits: Int)?
    for format in commonFormats where best?.misfits != 0 {
      guard let found = try misfits(format, of: first)?.count else { continue }
      if found < best?.misfits ?? sample { best = (format, found) }
    }
    guard let best, let texts = try misfits(noFormat, of: places)?.count,
      let others = try misfits(best.format, of: places)
    else { return nil }
    return (best.format, texts, others)
  }
}

/// A text attribute of the objects of one very entity, and the last primary key that is looked at; nil for all.
private typealias TextPlace = (entity: String, attribute: String, lastKey: Int64?)

/// What apps write, in the order in which they are tried: of two that fit alike, the first.
private let commonFormats = [
  "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd", "iso8601", "yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss Z",
  "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss.SSSZ", "dd.MM.yyyy", "dd.MM.yyyy HH:mm", "MM/dd/yyyy",
  "dd/MM/yyyy", "yyyy/MM/dd", "yyyyMMdd", "EEE, dd MMM yyyy HH:mm:ss Z", "MMM d, yyyy",
]

/// A literal that equals no text, so that all texts count.
private let noFormat = "'no date is like this'"

extension Diagnostic {
  /// A refused type with what is known of the texts.
  func noting(_ fit: DateFormatFit?) -> Diagnostic {
    guard let fit, code == .incompatibleAttributeTypes else { return self }
    let fitting = fit.texts - fit.misfits.count
    let fits = fitting == fit.texts ? "all" : "\(fitting) of"
    let examples = Note.examples(fit.misfits.keys, count: fit.misfits.count).message
    return with {
      $0.notes.append("'\(fit.format)' fits \(fits) \(fit.texts) texts")
      if fit.misfits.count > 0 { $0.notes.append("it does not fit the texts of \(examples)") }
    }
  }
}
