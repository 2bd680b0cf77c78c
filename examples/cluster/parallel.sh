#!/usr/bin/env bash
# GNU parallel, one job a shard: on this machine, or on those that PARALLEL_SSHLOGIN lists (host1,host2: each sees the same
# DOCUMENTS, PLACE, key file and this folder under the same paths).
#
#   MDCX_KEY_FILE=~/manuals.key JOBS=2 parallel.sh DOCUMENTS PLACE NAME N [options of mdcx pack]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
documents=$(realpath "$1") place=$2 name=$3 count=$4
shift 4
where=(--sshlogin "${PARALLEL_SSHLOGIN:-:}")
for variable in MDCX_KEY_FILE MDCX_BEARER AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_REGION; do
  if [ -n "${!variable:-}" ]; then where+=(--env "$variable"); fi
done
# Every job is tried once more, and one that fails twice does not stop the others: the exit code says how many did.
seq "$count" | parallel "${where[@]}" --jobs "${JOBS:-1}" --retries 2 --tag --quote \
  "$here/pack-shard.sh" "$documents" "$place" "$name" {} "$count" "$@"
