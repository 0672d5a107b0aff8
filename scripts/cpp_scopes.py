"""Reads the namespaces and types that a C++ source opens, without a compiler, for scripts/check-source."""

import bisect
import re


def plain_code(text):
    """C++ without comments, literals, preprocessor lines and #else branches; the same line numbers."""
    def blank(match):
        lines = "\n" * match[0].count("\n")
        return '""' + lines if match[0][0] in "\"'R" else " " + lines
    text = re.sub(r'//[^\n]*|/\*.*?\*/|\bR"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\'',
                  blank, text, flags=re.S)
    text = re.sub(r"#[ \t]*define(?:\\\n|[^\n])*", lambda match: "\n" * match[0].count("\n"), text)
    kept, skipping = [], []
    for line in text.split("\n"):
        if directive := re.match(r"\s*#\s*(\w+)", line):
            if directive[1] in ("if", "ifdef", "ifndef"):
                skipping.append(False)
            elif directive[1] in ("else", "elif") and skipping:
                skipping[-1] = True
            elif directive[1] == "endif" and skipping:
                skipping.pop()
            kept.append("")
        else:
            kept.append("" if any(skipping) else line)
    return "\n".join(kept)


TYPE = re.compile(r"(?:^|[ >])(?:struct|class|union|enum(?: class| struct)?)(?: alignas ?\(.*?\)| \[\[.*?\]\])* "
                  r"(?P<name>[\w:]+(?: ?<(?:[^:]|::)*>)?)(?: final)?(?: ?:(?!:).*)?$")
BRACE = re.compile(r"[{}]")


def scopes_of(text):
    """Yields (kind, qualified name, line) of each scope that is in no function and no anonymous namespace.

    The kind is "type", "namespace" or "declarations". A namespace that holds no
    brace is of the last kind: `namespace other { class Forward; }`.
    """
    stack, begin = [], 0  # a kind is "hidden" in functions and anonymous namespaces
    code = plain_code(text)
    line_of = [0] + [i.end() for i in re.finditer("\n", code)]
    for match in re.finditer(r"[{};]", code):
        head = " ".join(code[begin:match.start()].split())
        begin = match.end()
        if match[0] == "}":
            if stack:
                stack.pop()
        elif match[0] == "{":
            hidden = any(kind == "hidden" for kind, _ in stack)
            if space := re.match(r"^(?:inline )?namespace(?: (?:inline )?([\w:]+))?$", head):
                entry = ("namespace", space[1]) if space[1] else ("hidden", "")
            elif (kind := TYPE.search(head)) and head[:kind.start()].count("(") == head[:kind.start()].count(")"):
                entry = ("type", kind["name"])
            else:
                entry = ("hidden", "")
            stack.append(entry)
            if not hidden and entry[0] != "hidden":
                name = "::".join(name for _, name in stack)
                following = BRACE.search(code, begin)
                declares = entry[0] == "namespace" and following and following[0] == "}"
                yield "declarations" if declares else entry[0], name, bisect.bisect_right(line_of, match.start())


class Function:
    """A function that a source declares, or defines with a body of some lines."""

    def __init__(self, name, in_type, line):
        self.name, self.in_type, self.line, self.body_lines = name, in_type, line, None


def declared_name(head):
    """The name of the function that a statement declares: of a constructor, its type; "" for data and operators."""
    found = re.match(r"[^(=]*?(\w+) ?\(", re.sub(r"\[\[.*?\]\]", "", head))
    return found[1] if found and "operator" not in found[0] else ""


def kind_of(head):
    """The kind of the brace after this text, outside of functions."""
    bare = re.sub(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", "()", head)
    if re.match(r'(?:inline )?namespace\b|extern ""$', head):
        return "namespace"
    if (kind := TYPE.search(head)) and head[:kind.start()].count("(") == head[:kind.start()].count(")"):
        return "type"
    if re.search(r"\(.*(?<!:):(?!:).*[\w>]$|^,.*[\w>]$", bare):
        return "initializer"  # a member has it before the body of a constructor
    if head and not head.startswith(",") and ("(" not in bare or "=" in re.sub(r"operator\W+", "", bare)):
        return "data"
    return "body"


def functions_of(text):
    """Yields the Function of each declaration and definition that is in no function; an operator has the name ""."""
    stack, begin, constructor = [], 0, None  # the stack has (kind, Function or None)
    code = re.sub(r"\b(?:public|private|protected):", "", plain_code(text))
    line_of = [0] + [i.end() for i in re.finditer("\n", code)]
    for match in re.finditer(r"[{};]", code):
        head, line = " ".join(code[begin:match.start()].split()), bisect.bisect_right(line_of, match.start())
        begin = match.end()
        inside = stack[-1][0] if stack else "namespace"
        if match[0] == "}":
            _, function = stack.pop() if stack else ("", None)
            if function:
                function.body_lines = max(line - function.line - 1, 0)
                yield function
        elif inside not in ("namespace", "type"):
            if match[0] == "{":
                stack.append(("block", None))
        elif match[0] == ";":
            yield Function(declared_name(head), inside == "type", line)
        else:
            kind, name = kind_of(head), declared_name(head)
            if kind == "initializer":
                constructor = constructor or name
            stack.append((kind, Function(constructor or name, inside == "type", line) if kind == "body" else None))
            constructor = None if kind == "body" else constructor
