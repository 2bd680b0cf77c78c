#!/usr/bin/env bash
# A Slurm array, one task a shard. From this folder:
#
#   MDCX_KEY_FILE=~/manuals.key sbatch --array=1-16 slurm.sh DOCUMENTS PLACE NAME 16 [options of mdcx pack]
#
# The number of shards stands there once more, so that a task that failed can be run alone: --array=7.
#SBATCH --job-name=mdcx
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=04:00:00
#SBATCH --output=%x-%A-%a.log
set -euo pipefail
documents=$1 place=$2 name=$3 count=$4
shift 4
# What the task was given, with room for what packing does not count. Without a limit of its own mdcx takes half of the machine.
if [ -n "${SLURM_MEM_PER_NODE:-}" ] && [[ " $* " != *" --memory"* ]]; then
  set -- "$@" --memory "$((SLURM_MEM_PER_NODE * 3 / 4))M"
fi
# Slurm runs a copy of this script from a folder of its own.
exec "$SLURM_SUBMIT_DIR/pack-shard.sh" "$documents" "$place" "$name" "$SLURM_ARRAY_TASK_ID" "$count" "$@"
