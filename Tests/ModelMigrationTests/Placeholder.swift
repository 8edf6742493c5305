enum PlaceholderModelMigrationTests {}
