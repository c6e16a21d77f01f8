"""Trees and results as text, graphs, tables and files for people and machines."""
