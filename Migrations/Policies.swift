public import ModelMigration

/// This package's entity migration policies: what its own `modelc` brings along beside mapping files.
///
/// The sample's steps, V1 to V3, are all inferred, so there are none. A step that needs one gets its mapping model and
/// its policy in a folder of the model's name beside this file.
public let policies: [EntityMigrationPolicy.Type] = []
