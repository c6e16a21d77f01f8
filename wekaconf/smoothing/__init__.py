"""Class probabilities from the training instances at a node and along its path: what several methods stand on."""
