import ManagedModel
import ModelMapping

/// The version that another one follows.
func previousVersion(of version: ModelVersion, in model: VersionedModel) -> ModelVersion? {
  model.predecessor(of: version)
}
