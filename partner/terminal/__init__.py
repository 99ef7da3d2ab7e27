"""Where people meet the partner: a terminal that streams, and plain lines in a pipe."""
