enum PlaceholderManagedModelTests {}
