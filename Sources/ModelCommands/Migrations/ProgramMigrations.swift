import ModelMigration

/// What the running program knows beside the mapping files of a project: policies, transformers, handlers of stages.
enum ProgramMigrations {
  @TaskLocal static var current = CustomMigrations()
}
