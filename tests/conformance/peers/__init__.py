"""The engines' own code, run on the CPU: one file per engine, each with a list CASES."""
