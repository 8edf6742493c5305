@path@
base=${@target@:+origin/$@target@}
if [ -z "$base" ] && [ -n "$(echo "$@before@" | tr -d 0)" ]; then
  # After a forced push the clone lacks what the branch was.
  git cat-file -e "$@before@^{commit}" 2>/dev/null || git fetch --quiet origin "$@before@" || true
  base=$@before@
fi
@modelc@ check@models@ @reports@ ${base:+--against "$base"}
