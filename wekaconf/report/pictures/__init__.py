"""Pictures for papers, one per file: each draws on axes that it is given, and into a file."""
