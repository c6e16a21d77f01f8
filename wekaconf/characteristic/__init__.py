"""Limits of the attribute values of a group of instances, which tell what does not belong to it."""
