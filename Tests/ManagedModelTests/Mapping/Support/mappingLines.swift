import ManagedModel
import TestSupport

/// A mapping model in short lines, an entity mapping each.
///
///     transform Hut < Cabin: beds < rooms, title < (name ?? x), size < -, visits < visits -> Visit
///
/// A dash is a null, `=` stands before a constant, `as` before another type. Of a relationship `by Visit.hut` says
/// that the other side gives it, `ordered` that it keeps its order, and the entities behind `->` are those it may lead to.
func lines(of model: MappingModel) -> [String] { model.entityMappings.map(line) }

func line(of mapping: EntityMapping) -> String {
  let head =
    "\(mapping.mappingType) \(mapping.destinationEntityName ?? "-") < \(mapping.sourceEntityName ?? "-")"
  let properties = (mapping.attributeMappings + mapping.relationshipMappings).map(line)
  return properties.isEmpty ? head : "\(head): \(properties.joined(separator: ", "))"
}

func line(of property: PropertyMapping) -> String {
  var text = "\(property.name) < \(words(property.value))"
  for referrer in property.referrers.sorted(by: { ($0.entity, $0.property) < ($1.entity, $1.property) }) {
    text += " by \(referrer.entity).\(referrer.property)"
  }
  if property.keepsOrder { text += " ordered" }
  if !property.reachableEntities.isEmpty {
    text += " -> \(property.reachableEntities.sorted().joined(separator: " "))"
  }
  return text
}

func words(_ value: PropertyMappingValue) -> String {
  switch value {
  case .source(let name): name
  case .constant(let constant): constant.map { "=\($0.text)" } ?? "-"
  case .converted(let inner, _, let type): "(\(words(inner)) as \(type.name))"
  case .defaulted(let inner, let fallback): "(\(words(inner)) ?? \(fallback.text))"
  case .expression(let expression): "{\(expression)}"
  }
}

/// `MC3103 error Hut.beds`
func line(of finding: Diagnostic) -> String {
  let subject = [finding.subject?.entity, finding.subject?.property].compactMap(\.self).joined(separator: ".")
  return "\(finding.code) \(finding.severity) \(subject)"
}

/// What inference makes of two models in the notes of `modelOf`.
func inferred(_ old: String, _ new: String, origin: ModelOrigin = .language) -> (
  lines: [String], findings: [String]
) {
  let (mapping, findings) = inferMappingModel(
    from: versionOf("V1", old, origin: origin), to: versionOf("V2", new, origin: origin))
  return (lines(of: mapping), findings.map(line))
}
