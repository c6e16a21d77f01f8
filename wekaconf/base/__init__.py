"""What everything here speaks: errors, files written whole, parameters declared once, arrays in files."""
