"""A learner and a method by name; a fitted model, in memory and as a file; `mirror`, for trees that others grew."""
