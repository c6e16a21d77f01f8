"""One folder per paper: what it prints, and how that is measured anew; always labelled as a reproduction."""
