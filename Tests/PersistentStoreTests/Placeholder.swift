enum PlaceholderPersistentStoreTests {}
