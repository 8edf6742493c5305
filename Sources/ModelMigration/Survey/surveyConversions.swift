import ManagedModel
import PersistentStore

extension CustomSurvey {
  /// Counts values that the conversions of a custom step would lose.
  ///
  /// - Returns: a finding for each that would end it.
  mutating func surveyConversions() throws -> [Diagnostic] {
    let model = rows.hierarchy.model
    var refusals: [Diagnostic] = []
    for mapping in mappingModel.entityMappings where mapping.policyName == nil {
      guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName,
        let compiler = try? RowCompiler(from, schema: rows.schema, model: model)
      else { continue }
      for property in mapping.attributeMappings {
        guard case .expression(let expression) = property.value,
          let attribute = destination.attribute(named: property.name, of: to)
        else { continue }
        let kept = mapping.keptKeys(of: expression, schema: rows.schema, model: model)
        do {
          let found = try db.countFailedConversions(
            of: expression, as: attribute, by: compiler, where: mapping.filter, among: kept)
          guard let found else { continue }
          account.add(
            .conversionLoss, of: to, property.name, found.count, isIntended: expression.readsTablesAlone,
            examples: found.keys)
        } catch let refusal as ConversionRefused {
          let place = refusal.object.map { "at object \($0) of '\(from)'" } ?? "there"
          refusals.append(
            Diagnostic(
              .policyFailed, .error,
              "'\(to).\(property.name)' cannot be computed for every object: \(refusal.message)",
              subject: ModelSubject(version: target.name, entity: to, property: property.name),
              notes: ["mapping '\(mapping.name)' would stop the migration \(place)"],
              help: [
                "say what such a value becomes, as in 'clamp(parseInt($source.text), 0, 32767)', or take a wider type"
              ]))
        }
      }
    }
    return refusals
  }
}
