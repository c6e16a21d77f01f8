"""Tables in files as DataFrames: CSV and TSV, Parquet, Excel."""
