#!/bin/sh
# Before a commit that changes a model: what can be told without migrating stores.
# Turned on once in each clone: git config core.hooksPath .githooks
git -c core.quotePath=false diff --cached --no-renames --name-only |
  grep -qE '(^|/)(Models/|Migrations/|[^/]*\.xc(datamodeld|mappingmodel)/|[^/]*released\.lock|modelc\.yaml@swift@)' || exit 0
# Before the first commit there is nothing to compare it with.
git rev-parse --quiet --verify HEAD >/dev/null && against="--against HEAD"
# What is committed is looked at, which the files on disk need not be.
case ${MODELC:=modelc} in /*) ;; */*) MODELC=$PWD/$MODELC ;; esac
index=$(mktemp -d) && trap 'rm -rf "$index"' EXIT
git checkout-index --all --prefix="$index/"
echo "gitdir: $(git rev-parse --absolute-git-dir)" >"$index/.git"
cd "$index" && unset $(git rev-parse --local-env-vars) || exit 1
status=0
@checks@
exit $status
