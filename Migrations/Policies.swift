public import ModelMigration

/// This package's entity migration policies: what its own `modelc` brings along beside the mapping files.
public let policies: [EntityMigrationPolicy.Type] = [RegionPolicy.self]
