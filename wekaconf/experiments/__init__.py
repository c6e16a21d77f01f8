"""Studies: many data sets, learners, methods and protocols, in one store."""
