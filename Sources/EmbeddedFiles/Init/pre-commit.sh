#!/bin/sh
# Before a commit that changes a model: what can be told without migrating stores.
# Turned on once in each clone: git config core.hooksPath .githooks
git -c core.quotePath=false diff --cached --no-renames --name-only |
  grep -qE '(^|/)(Models/|Migrations/|[^/]*\.xc(datamodeld?|mappingmodel)/|[^/]*released\.lock|modelc\.yaml@watched@)' || exit 0
# Before the first commit there is nothing to compare it with.
git rev-parse --quiet --verify HEAD >/dev/null && against="--against HEAD"
# What is committed is looked at, which the files on disk need not be.
case ${MODELC:=modelc} in /*) ;; */*) MODELC=$PWD/$MODELC ;; esac
index=$(mktemp -d) && trap 'rm -rf "$index"' EXIT
git checkout-index --all --ignore-skip-worktree-bits --prefix="$index/"
# As a linked working tree: where a submodule's lies is written in its git folder.
mkdir "$index/.git" && cp "$(git rev-parse --absolute-git-dir)/HEAD" "$index/.git/HEAD"
(cd "$(git rev-parse --git-common-dir)" && pwd) >"$index/.git/commondir"
cd "$index" && unset $(git rev-parse --local-env-vars) || exit 1
status=0
@checks@
exit $status
