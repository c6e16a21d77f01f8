"""What a method is: fitted on a tree, asked for answers, certainty, reasons and explanations."""
