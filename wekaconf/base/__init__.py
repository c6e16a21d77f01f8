"""What every room speaks: errors and notes, files written whole, parameters declared once, arrays in files, caches."""
