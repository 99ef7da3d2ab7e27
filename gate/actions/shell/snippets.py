"""One-liners in Perl, Ruby, JavaScript and PHP.

Calls with a literal argument are read for what they do; what remains must be made of words that only
compute and print, else the text could do anything.
"""

from __future__ import annotations

import re

from gate.actions.shell.effects import Call
from gate.actions.shell.state import Data
from gate.actions.vocabulary import word_set

_STRING = r"""(?:'([^'\\\n]*)'|"([^"\\$@#\n]*)")"""
_NODE = (
    r"(?:require\(\s*['\"](?:node:)?(?:fs(?:/promises)?|child_process)['\"]\s*\)\s*\."
    r"|(?:fs|fsp|cp|child_process)\s*\.)"
)
_OPTIONS = r"(?:\s*,\s*\{[\w\s:,]*\}|\s*,\s*['\"][\w-]*['\"])?"


def _call(names: str, prefix: str = r"(?<![\w.$>])") -> re.Pattern[str]:
    return re.compile(rf"{prefix}(?:{names})\s*\(?\s*{_STRING}{_OPTIONS}\s*\)?(?!\s*[,.+])")


_EFFECTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (_call("unlinkSync|unlink|rmdirSync|rmdir", _NODE), "delete"),
    (_call("rmSync|rm", _NODE), "tree"),
    (_call("execSync|exec|spawnSync", _NODE), "run"),
    (_call("writeFileSync|appendFileSync|writeFile|createWriteStream", _NODE), "write"),
    (_call("readFileSync|readFile|readdirSync|createReadStream", _NODE), "read"),
    (
        _call(
            r"FileUtils\.(?:rm_rf|rm_r|remove_dir|remove_entry_secure|rmtree)|Dir\.(?:rmdir|delete|unlink)"
        ),
        "tree",
    ),
    (_call(r"File\.(?:delete|unlink)|FileUtils\.(?:rm_f|rm|remove)"), "delete"),
    (_call(r"File\.(?:read|readlines|foreach)|IO\.read"), "read"),
    (_call("unlink|rmdir"), "delete"),
    (_call("rmtree|remove_tree"), "tree"),
    (_call("system|exec|shell_exec|passthru|popen"), "run"),
    (re.compile(r"(?<!\\)`([^`$@#\\]*)()`"), "run"),
)
_WORDS = word_set(
    """
    if else elsif elseif unless while until for foreach do end begin each next last then my our
    local let const var function return new true false null nil undef undefined not and or in of lt
    gt le ge eq ne cmp x BEGIN END print printf say puts p pp echo console log JSON stringify parse
    Math floor ceil round max min abs sqrt pow split join map filter reduce sort reverse keys values
    length size count push pop shift unshift slice splice substr substring index rindex lc uc
    lcfirst ucfirst chomp chop sprintf toUpperCase toLowerCase trim strip upcase downcase capitalize
    to_s to_i to_f toString parseInt parseFloat Number String Array Object Date Time now getTime
    toISOString strftime int hex oct ord chr scalar defined exists gsub sub tr y s m g i e gi
    replace test match includes startsWith endsWith first uniq sum collect select inject times upto
    each_line each_with_index gets chars lines process version argv env exit ARGV ENV STDIN STDOUT
    STDERR VERSION RUBY_VERSION PHP_VERSION phpversion implode explode strlen str_repeat strtoupper
    strtolower count array date number_format json_encode json_decode var_dump print_r intval
    floatval in_array array_map array_sum strrev rand srand random time localtime gmtime wantarray
    is isset empty as use strict warnings utf8 List Util POSIX n r t v d w a b c F
    """
)
_REGEX = re.compile(r"(?:(?<=[\s(,~!=])|^|(?<=\bm)|(?<=\bqr))/(?:[^/\\\n('\"`]|\\.)*/[gimsxuo]*")
_SUBSTITUTION = re.compile(
    r"\b(?:s|tr|y)([/#|,!])((?:(?!\1)[^\\\n`]|\\.)*)\1((?:(?!\1)[^\\\n`$@]|\\.)*)\1[gimsxr]*(?![\w])"
)


def read_snippet(call: Call, code: str) -> None:
    """Put the frames of a one-liner; `call.name` is the language."""
    if len(code) > 4000:
        call.not_understood()
        return
    left = code
    for pattern, effect in _EFFECTS:
        for match in pattern.finditer(left):
            value = match.group(1) or match.group(2) or ""
            _apply(call, effect, value)
        left = pattern.sub(" ", left)
    left = _SUBSTITUTION.sub(" ", left)
    left = re.sub(r"'(?:[^'\\]|\\.)*'", " ", left)
    left = re.sub(r'"(?:[^"\\$@#`]|\\.|[$@#](?![{(]))*"', " ", left)
    left = _REGEX.sub(" ", left)
    left = re.sub(r"\brequire\s*\(\s*\)", " ", left)
    left = re.sub(r"[$@%]\w+|\b\d[\w.]*", " ", left)
    words = re.findall(r"[A-Za-z_]\w*", left)
    if (
        "`" in left
        or '"' in left
        or "'" in left
        or any(word not in _WORDS for word in words)
        or ("<" in left and "|" in left)
    ):
        call.not_understood()


def _apply(call: Call, effect: str, value: str) -> None:
    if effect in ("delete", "tree"):
        call.delete([value], tree=effect == "tree")
    elif effect == "read":
        call.read([value])
    elif effect == "write":
        call.write([value], Data(None))
    else:
        call.runner.script(value, call.world.copy())
