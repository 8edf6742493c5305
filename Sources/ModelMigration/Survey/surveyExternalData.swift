import Expressions
import Foundation
import ManagedModel
import ModelMapping
import PersistentStore
import StoreFiles
import StoreVerification

/// Counts values in files beside the store whose files are missing or empty, and says where the files are instead.
///
/// This copy of the store has lost them already, and rows still refer to them: a warning. Where a mapping reads such a
/// value, the migration would end there.
func surveyExternalData(_ db: StoreDatabase, of plan: MigrationPlan) throws -> [Diagnostic] {
  guard !plan.isDone, let source = plan.versions.first else { return [] }
  let model = source.model.restricted(toConfiguration: plan.configuration)
  let (schema, _) = bindSchema(try readPhysicalSchema(db), to: model)
  let path = URL(filePath: plan.store).resolvingSymlinksInPath().path
  let findings = try findMissingExternalData(db, schema: schema, model: model, storePath: path)
  return findings.map { finding in
    var diagnostic = finding.diagnostic
    if plan.mappingModel.reads(diagnostic.subject, in: EntityHierarchy(model)) {
      diagnostic.notes.append("a mapping reads these values, so the migration would end at the first of them")
    } else {
      diagnostic.severity = .warning
      diagnostic.notes.append(
        "the references go along as they are; with the files back the values are there again")
    }
    return diagnostic
  }
}

extension MappingModel {
  /// Whether an expression asks for the value of a source property.
  fileprivate func reads(_ subject: ModelSubject?, in hierarchy: EntityHierarchy) -> Bool {
    guard let entity = subject?.entity, let property = subject?.property else { return false }
    let kinds = hierarchy.descendantNames(includingSelf: entity)
    return entityMappings.contains { mapping in
      kinds.contains(mapping.sourceEntityName ?? "")
        && mapping.attributeMappings.contains { attribute in
          guard case .expression(let expression) = attribute.value else { return false }
          return expression.referencedKeyPaths.contains {
            $0.root == .variable("source") && $0.keys.starts(with: keys(of: property))
          }
        }
    }
  }
}
