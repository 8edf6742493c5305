package import ManagedModel

/// The model in the model language: the shortest form that ``readModel(yaml:file:)`` reads back to an equal model.
///
/// Entities, properties and the elements of constraints and indexes keep their order. The same model gives the
/// same text.
package func writeModel(_ model: ManagedObjectModel) -> String {
  renderYAML(modelSchema.write(model))
}
