"""llama.cpp in a process of its own: a native abort there must not take the conversation down."""
