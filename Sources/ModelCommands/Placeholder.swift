enum PlaceholderModelCommands {}
