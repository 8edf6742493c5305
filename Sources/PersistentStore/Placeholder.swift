enum PlaceholderPersistentStore {}
