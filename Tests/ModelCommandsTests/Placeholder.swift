enum PlaceholderModelCommandsTests {}
