#!/usr/bin/env bash
# Packs one shard of a collection and puts it where all of them meet.
#
#   pack-shard.sh DOCUMENTS PLACE NAME I N [options of mdcx pack]
#
#   DOCUMENTS   the folder, or FILE.jsonl, that every machine sees whole
#   PLACE       a folder that all machines share, or an http(s) address under which files are PUT and GET (a bucket, WebDAV)
#   NAME        of the collection: its shards are NAME-1-of-N.mdcx, NAME-2-of-N.mdcx, …
#   I N         which shard of how many, counted from 1
#
# The secret comes from the file that MDCX_KEY_FILE names. Credentials of an address are MDCX_BEARER, or AWS_ACCESS_KEY_ID,
# AWS_SECRET_ACCESS_KEY, AWS_REGION and, where there is one, AWS_SESSION_TOKEN.
set -euo pipefail
if [ $# -lt 5 ]; then
  sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
documents=$1 place=${2%/} name=$3 index=$4 count=$5
shift 5
case $name in
*[!A-Za-z0-9._-]* | "")
  echo "pack-shard.sh: NAME stands in addresses: letters, digits, dots and dashes, not '$name'" >&2
  exit 2
  ;;
esac
file=$name-$index-of-$count.mdcx

# pack FOLDER [options]: a package that is there is taken up, so that unchanged passages are not encoded again and the
# package keeps its id, which readers may have pinned.
pack() {
  local folder=$1
  shift
  if [ -e "$folder/$file" ]; then set -- --reuse "$folder/$file" "$@"; fi
  mdcx pack "$documents" --target "$folder/$name.mdcx" --shard "$index/$count" "$@"
}

# request OPTIONS…: curl with the credentials on its standard input, for arguments can be seen in the process list.
request() {
  {
    if [ -n "${MDCX_BEARER:-}" ]; then
      printf 'header = "Authorization: Bearer %s"\n' "$MDCX_BEARER"
    elif [ -n "${AWS_ACCESS_KEY_ID:-}" ]; then
      printf 'aws-sigv4 = "aws:amz:%s:s3"\n' "${AWS_REGION:-us-east-1}"
      printf 'user = "%s:%s"\n' "$AWS_ACCESS_KEY_ID" "$AWS_SECRET_ACCESS_KEY"
      printf 'header = "x-amz-content-sha256: UNSIGNED-PAYLOAD"\n'
      if [ -n "${AWS_SESSION_TOKEN:-}" ]; then printf 'header = "x-amz-security-token: %s"\n' "$AWS_SESSION_TOKEN"; fi
    fi
  } | curl --config - --silent --show-error --retry 3 --retry-connrefused "$@"
}

case $place in
http://* | https://*) ;;
*)
  # Written beside and renamed by mdcx itself: a reader sees the old package or the new one, and a task that is killed goes on
  # from the vectors that it had made.
  pack "$place" "$@"
  exit
  ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/mdcx-shard.XXXXXX")
trap 'rm -rf "$work"' EXIT
found=$(request --output "$work/$file" --write-out '%{http_code}' "$place/$file")
case $found in
200) ;;
404) rm -f "$work/$file" ;;
*)
  echo "pack-shard.sh: $place/$file answered $found" >&2
  exit 1
  ;;
esac
pack "$work" "$@"
# A shard to which no document is dealt has no package, and mdcx has said so.
if [ -e "$work/$file" ]; then request --fail --output /dev/null --upload-file "$work/$file" "$place/$file"; fi
