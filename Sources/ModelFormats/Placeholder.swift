enum PlaceholderModelFormats {}
