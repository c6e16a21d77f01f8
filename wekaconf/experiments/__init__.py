"""`evaluate`, studies, the store of results and the processes that work for them; `advising/` recommends a method."""
