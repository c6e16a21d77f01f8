"""The study behind a part of docs/open-sets.md: how well methods and outlier detectors notice a class left out."""
