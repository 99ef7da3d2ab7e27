"""What an engine may do besides talking: a few tools, each off until the operator turns it on.

A call is an action like any other (DESIGN §4, §5): it is judged by the gate as what it does (`file.read`,
`shell`, `http`, ...), what changes something or leaves the machine is confirmed by the operator, and the
executor runs nothing but the very action that an allowing verdict is bound to. The result is kept as an
observation before the engine sees it.

    model.py      what a tool is, and how a call can end
    builtin.py    the tools there are
    running.py    commands and waits that end in time
    executor.py   one judged action, run
    toolbox.py    a call of an engine from its arguments to its result
"""
