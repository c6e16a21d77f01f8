"""What a method is: fitted on a tree, asked for answers with a certainty, their reasons and their explanation."""
