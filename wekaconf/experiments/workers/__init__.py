"""Work in several processes: on this machine, or on those of a Dask scheduler."""
