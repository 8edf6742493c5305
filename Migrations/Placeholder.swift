enum PlaceholderMigrations {}
