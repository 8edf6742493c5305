enum PlaceholderModelMigration {}
