#!/usr/bin/env bash
# What the shards of a collection come to: verifies each, without the key, and prints where they are, a line each, as
# `mdcx serve` takes them in MDCX_FILE.
#
#   MDCX_FILE=$(put-together.sh PLACE NAME N) mdcx serve
#
# PLACE is the folder, or the http(s) address, to which pack-shard.sh wrote.
set -euo pipefail
place=${1%/} name=$2 count=$3
documents=0 missing=()
for index in $(seq "$count"); do
  file=$place/$name-$index-of-$count.mdcx
  # What an address has is verified page by page as it is read; to verify all of it here would fetch all of it.
  case $place in
  http://* | https://*) check=(info) ;;
  *) check=(verify) ;;
  esac
  if [ "${check[0]}" = verify ] && [ ! -e "$file" ]; then
    missing+=("$index")
    continue
  fi
  mdcx "${check[@]}" "$file" >/dev/null
  documents=$((documents + $(mdcx info "$file" --json | sed -n 's/^  "documents": \([0-9]*\),$/\1/p')))
  echo "$file"
done
echo "$documents documents in $((count - ${#missing[@]})) packages" >&2
if [ ${#missing[@]} -gt 0 ]; then
  echo "no package of shard ${missing[*]}: no document was dealt to it, or its task failed, as its log says" >&2
fi
