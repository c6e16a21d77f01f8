"""What tests, attacks and benchmarks share: generators, small data, drivers of programs."""
