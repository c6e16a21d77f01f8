"""What a person sees: tables, printed trees, pictures, comparisons, and pages for a browser."""
