#!/usr/bin/env bash
# What the shards of a collection come to: prints where they are, a line each, as `mdcx serve` takes them in MDCX_FILE, and
# says how many documents they hold. Those in a folder are verified, every byte; of an address a reader verifies what it reads.
#
#   MDCX_FILE=$(put-together.sh PLACE NAME N) mdcx serve
#
# PLACE is the folder, or the http(s) address, to which pack-shard.sh wrote.
set -euo pipefail
place=${1%/} name=$2 count=$3
documents=0 packages=0 missing=()
for index in $(seq "$count"); do
  file=$place/$name-$index-of-$count.mdcx
  if ! statement=$(mdcx info "$file" --json 2>/dev/null); then
    if grep -q '"code": "not-found"' <<<"$statement"; then
      missing+=("$index")
      continue
    fi
    echo "put-together.sh: $(sed -n 's/^    "message": "\(.*\)"$/\1/p' <<<"$statement")" >&2
    exit 2
  fi
  case $place in
  http://* | https://*) ;;
  *) mdcx verify "$file" >/dev/null ;;
  esac
  documents=$((documents + $(sed -n 's/^  "documents": \([0-9]*\),$/\1/p' <<<"$statement")))
  packages=$((packages + 1))
  echo "$file"
done
echo "$documents documents in $packages packages" >&2
if [ ${#missing[@]} -gt 0 ]; then
  echo "no package of shard ${missing[*]}: no document was dealt to it, or its task failed, as its log says" >&2
fi
[ "$packages" -gt 0 ]
