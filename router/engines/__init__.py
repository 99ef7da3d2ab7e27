"""The engines, one a file. Import the one that is wanted; nothing heavy is loaded before it is used."""
