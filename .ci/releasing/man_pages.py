"""Man pages (mdoc) of every command, from what `modelc --experimental-dump-help` says of itself.

Nothing about an option stands here: words, values and defaults are those of `--help`. Examples are those of the page CommandsByExample.
"""
import re
import textwrap
import time

FILES = [
    ("Models/NAME/", "a model: a file per version, and versions.yaml"),
    ("Migrations/NAME/", "its mapping files"),
    ("modelc.yaml", "what a project or an Xcode package settles once"),
    ("released.lock", "the versions that users have"),
]
ENVIRONMENT = [
    ("NO_COLOR", "no colors"),
    ("XDG_CACHE_HOME", "where what check found is kept, in a folder modelc; ~/.cache otherwise"),
    ("COLUMNS", "how wide tables may be"),
    ("GITHUB_STEP_SUMMARY", "a file to which check adds its report as Markdown"),
]


def escaped(text):
    text = text.replace("\\", "\\e")
    return re.sub(r"^(?=[.'])", r"\\&", text)


def argument(text):
    """One argument of a macro; never the name of another macro, nor a mark that ends a sentence."""
    end = "\\&" if text[-1:] in ".,:;?!)" else ""
    return '"\\&' + escaped(text).replace('"', "\\(dq") + end + '"'


def prose(text):
    """Lines of running text; what stands in backquotes is literal."""
    lines = []
    for part in re.split(r"(`[^`]+`[.,;:)]*)", " ".join(text.split())):
        literal = re.fullmatch(r"`([^`]+)`([.,;:)]*)", part)
        if literal:
            opened = lines and lines[-1].endswith("(") and not lines[-1].startswith(".")
            if opened:
                lines[-1] = lines[-1][:-1].rstrip()
                lines = [line for line in lines if line]
            marks = "".join(" " + mark for mark in literal[2])
            lines.append(".Ql " + ("( " if opened else "") + argument(literal[1]) + marks)
        elif part.strip():
            for sentence in re.split(r"(?<=[.;]) ", part.strip()):
                lines += [escaped(line) for line in textwrap.wrap(sentence, 76, break_long_words=False, break_on_hyphens=False)]
    return lines


def paragraphs(text):
    lines = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        # What is to be typed, or a grammar, stands by itself.
        if re.match(r"modelc |\[", paragraph):
            lines += [".Bd -filled -offset indent"] + prose(paragraph) + [".Ed"]
        else:
            lines += ([".Pp"] if lines else []) + prose(paragraph)
    return lines


def flag(name):
    return f"Fl {name['name']}" if name["kind"] == "short" else f"Fl Fl {name['name']}"


def value(option):
    return "Ar " + argument(option["valueName"]) if option["kind"] != "flag" else ""


def usage(option):
    if option["kind"] == "positional":
        shown = value(option)
    else:
        shown = f"{flag(option['preferredName'])} {value(option)}".rstrip()
    dots = " ..." if option["isRepeating"] else ""
    return f".Op {shown}{dots}" if option["isOptional"] else f".{shown}{dots}"


def described(option):
    if option["kind"] == "positional":
        names = value(option)
    else:
        names = " , ".join(flag(name) for name in option["names"]) + " " + value(option)
    lines = [f".It {names.rstrip()}"] + prose(option.get("abstract") or "")
    if option.get("discussion"):
        lines += [".Pp"] + paragraphs(option["discussion"])
    values = option.get("allValueStrings") or option.get("allValues") or []
    abstract = option.get("abstract") or ""
    if values and not all(re.search(rf"\b{re.escape(word)}\b", abstract) for word in values):
        lines.append(f"One of {', '.join(values)}.")
    if option.get("defaultValue") and option["kind"] != "flag":
        lines.append(".Pq default : " + argument(option["defaultValue"]))
    return lines


def exit_status(tool):
    """The codes, as the help of `modelc` says them."""
    text = " ".join(tool["discussion"].split())
    codes = re.findall(r"(\d+) ((?:[^,.(]|\([^)]*\))+)", text.split("Exit codes:")[1])
    lines = [".Bl -tag -width 4n"]
    for number, meaning in codes:
        lines += [f".It {number}", escaped(meaning.strip())]
    return lines + [".El"]


def table(rows, macro):
    lines = [".Bl -tag -width Ds"]
    for name, meaning in rows:
        lines += [f".It {macro} {argument(name)}"] + prose(meaning)
    return lines + [".El"]


def examples(by_example, words):
    """The page's lines that call this command, each with its comment."""
    lines = []
    for block in re.findall(r"^```text\n(.*?)^```", by_example, re.M | re.S):
        for line in block.split("\n"):
            command, _, comment = line.partition(" # ")
            if re.match(rf"{re.escape(' '.join(words))}(?= |$)", command):
                lines += [".Pp"] if lines else []
                if comment:
                    remark = comment.strip()
                    lines += prose(remark[0].upper() + remark[1:] + ":")
                lines += [".Bd -literal -offset indent", escaped(command.strip()), ".Ed"]
    return lines


def page(tool, command, path, date, version, by_example, index):
    """- Parameter index: every page's name with its abstract, in the order of the help."""
    name = "-".join(path)
    subcommands = [sub for sub in command.get("subcommands", []) if sub["commandName"] != "help"]
    shown = [option for option in command.get("arguments", []) if option["shouldDisplay"]]
    lines = [
        f".Dd {date}", f".Dt {name.upper()} 1", f".Os modelc {version}",
        ".Sh NAME", f".Nm {name}", f".Nd {escaped(command['abstract'].rstrip('.'))}",
        ".Sh SYNOPSIS"]
    if subcommands:
        lines += [f".Nm {argument(' '.join(path))}", ".Ar subcommand", ".Op Ar options"]
    else:
        lines += [f".Nm {argument(' '.join(path))}"]
        lines += [usage(option) for option in shown if option["kind"] != "positional"]
        lines += [usage(option) for option in shown if option["kind"] == "positional"]
    lines += [".Sh DESCRIPTION"] + prose(command["abstract"])
    discussion = re.split(r"Exit codes:", command.get("discussion") or "")[0]
    if discussion.strip():
        more = paragraphs(discussion)
        lines += ([] if more[0].startswith(".Bd") else [".Pp"]) + more
    if subcommands:
        lines += [".Pp", "The subcommands are:", ".Bl -tag -width Ds"]
        for sub in subcommands:
            lines += [f".It Xr {name}-{sub['commandName']} 1"] + prose(sub["abstract"])
        lines += [".El"]
    if shown:
        lines += [".Sh OPTIONS", ".Bl -tag -width Ds"]
        for option in sorted(shown, key=lambda option: option["kind"] == "positional"):
            lines += described(option)
        lines += [".El"]
    if len(path) == 1:
        lines += [".Sh ENVIRONMENT"] + table(ENVIRONMENT, "Ev")
        lines += [".Sh FILES"] + table(FILES, "Pa")
    lines += [".Sh EXIT STATUS"] + exit_status(tool)
    shown_examples = examples(by_example, path) if len(path) > 1 else []
    if shown_examples:
        lines += [".Sh EXAMPLES"] + shown_examples
    lines += [".Sh SEE ALSO"]
    if len(path) == 1:
        others = [other for other in index if other.count("-") == 1]
    else:
        others = ["-".join(path[:-1])] + [other for other in RELATED.get(name, []) if other in index]
    others.sort()
    lines += [f".Xr {other} 1" + (" ," if other != others[-1] else "") for other in others]
    return "\n".join(lines) + "\n"


# What a reader of one page looks at next.
RELATED = {
    "modelc-plan": ["modelc-migrate", "modelc-map"],
    "modelc-migrate": ["modelc-plan", "modelc-recover", "modelc-verify"],
    "modelc-recover": ["modelc-migrate"],
    "modelc-verify": ["modelc-repair", "modelc-inspect"],
    "modelc-repair": ["modelc-verify"],
    "modelc-check": ["modelc-release", "modelc-explain", "modelc-init"],
    "modelc-release": ["modelc-check", "modelc-version"],
    "modelc-inspect": ["modelc-verify", "modelc-query", "modelc-triage"],
    "modelc-triage": ["modelc-explain", "modelc-inspect"],
    "modelc-query": ["modelc-export", "modelc-inspect"],
    "modelc-export": ["modelc-fixture", "modelc-adopt"],
    "modelc-fixture": ["modelc-export", "modelc-test"],
    "modelc-map": ["modelc-plan"],
    "modelc-adopt": ["modelc-export", "modelc-compile"],
}


def pages(command, version, epoch, by_example):
    """Every page's file name with its text."""
    date = time.strftime("%B ", time.gmtime(epoch)) + time.strftime("%d, %Y", time.gmtime(epoch)).lstrip("0")
    found = []

    def collect(one, path):
        found.append((one, path))
        for sub in one.get("subcommands", []):
            if sub["commandName"] != "help" and sub.get("shouldDisplay", True):
                collect(sub, path + [sub["commandName"]])

    collect(command, ["modelc"])
    index = ["-".join(path) for _, path in found]
    return {
        "-".join(path) + ".1": page(command, subcommand, path, date, version, by_example, index)
        for subcommand, path in found}
