import Migrations
import ModelCommands

ModelcCommand.runAndExit(Array(CommandLine.arguments.dropFirst()), samplePolicies: policies)
