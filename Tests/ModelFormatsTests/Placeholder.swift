enum PlaceholderModelFormatsTests {}
