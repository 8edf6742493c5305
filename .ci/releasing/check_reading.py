"""Man pages and completions, by the programs that read them."""
import os
import pty
import re
import select
import time

from checking import TOP, require, run, tool


def pages(dist):
    """groff and mandoc have nothing to say."""
    found = sorted((dist.tree / "share/man/man1").iterdir())
    require(len(found) > 20, f"only {len(found)} pages")
    for page in found:
        # As lintian does it.
        warnings = run(
            "man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page,
            env={**os.environ, "MANROFFSEQ": "", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        require(not re.search(r"^(?!x |[a-zA-Z+0-9]).*warning", warnings, re.M) and "warning:" not in warnings, f"{page.name}: {warnings[:400]}")
    complaints = run("mandoc", "-Tlint", "-W", "warning", *found)
    require(not complaints, complaints)
    text = run("man", "-l", found[0], env={**os.environ, "MANPAGER": "cat", "MANWIDTH": "80"})
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "SEE ALSO"]:
        require(section in text, f"{found[0].name} has no {section}")
    return f"{len(found)} pages"


def site(dist):
    """Our own pages: a page for each code and number, and no link that leads nowhere."""
    folder = dist.place("site")
    said = run(tool("python"), TOP / ".ci/site", dist.program, folder)
    require((folder / "errors/cocoa-134504.html").exists(), "no page for 134504")
    require((folder / "codes/MC3111.html").exists(), "no page for MC3111")
    return said.strip()


WANTED = [("modelc migr", "migrate"), ("modelc check --agai", "--against"), ("modelc version li", "list")]


def completions(dist):
    """What is typed is completed in each shell."""
    path = {**os.environ, "PATH": f"{dist.program.parent}:{os.environ['PATH']}", "TERM": "dumb", "HOME": str(dist.work)}
    script = dist.tree / "share/bash-completion/completions/modelc"
    for typed, wanted in WANTED:
        words = typed.split(" ")
        text = run(
            "bash", "--norc", "-c",
            'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}\n'
            'function=$(complete -p modelc | sed "s/.*-F \\([^ ]*\\).*/\\1/")\n'
            '"$function" modelc "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"; printf "%s\\n" "${COMPREPLY[@]}"',
            "bash", script, *words, env=path)
        require(wanted in text.split(), f"bash: {typed}: {text}")
        fish = dist.tree / "share/fish/vendor_completions.d/modelc.fish"
        text = run("fish", "--no-config", "-c", f"source '{fish}'; complete -C '{typed}'", env=path)
        require(wanted in [line.split("\t")[0] for line in text.split("\n")], f"fish: {typed}: {text}")
        require(wanted in zsh(dist, typed, wanted, path), f"zsh: {typed}: not completed to {wanted}")
    return "bash, zsh, fish"


def zsh(dist, typed, wanted, environment):
    """What an interactive zsh makes of words and a tab."""
    functions = dist.tree / "share/zsh/site-functions"
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], environment)
    try:
        ask(terminal, f"fpath=('{functions}' $fpath); autoload -U compinit; compinit -u -D; PS1='ready''> '\n", "ready> ")
        return ask(terminal, f"{typed}\t", wanted)
    finally:
        os.write(terminal, b"\x03exit\n")
        os.close(terminal)
        os.waitpid(child, 0)


def ask(terminal, text, until, seconds=20):
    """What comes back, up to a text."""
    os.write(terminal, text.encode())
    seen, end = "", time.monotonic() + seconds
    while until not in seen and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 4096).decode(errors="replace")
    return seen
