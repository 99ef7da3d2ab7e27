"""The matcher: a constraint against what a request would do. Pure; three-valued; no model, no embedding."""
