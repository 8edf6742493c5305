import ModelMigration

/// The policies, transformers and handlers of stages of the running program.
enum ProgramMigrations {
  @TaskLocal static var current = CustomMigrations()
}
