enum PlaceholderManagedModel {}
