"""What the study measures; a store holds what this folder measured, so a better page costs no measurement."""
