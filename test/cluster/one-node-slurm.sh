#!/usr/bin/env bash
# A Slurm cluster of this one machine, for a test: munged, slurmctld and slurmd with all their files in FOLDER, listening on
# 127.0.0.1 alone. Needs root and the Debian packages slurmctld, slurmd, slurm-client and munge; ends when its standard
# input is closed.
#
#   one-node-slurm.sh FOLDER PORT     prints "ready" when jobs can be submitted with SLURM_CONF=FOLDER/slurm.conf
set -euo pipefail
folder=$1 port=$2
host=$(hostname -s)
mkdir -p "$folder"/{munge,state,spool}
chmod 700 "$folder/munge"
head -c 128 /dev/urandom >"$folder/munge/key"
chmod 600 "$folder/munge/key"

cat >"$folder/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/completed.txt
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(free -m | awk '/^Mem:/ { print int($2 * 0.9) }')
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$folder/slurm.conf

children=()
trap 'kill "${children[@]}" 2>/dev/null || true; wait || true' EXIT
munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
  --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" >"$folder/munged.out" 2>&1 &
children+=($!)
for _ in $(seq 100); do
  if [ -S "$folder/munge/socket" ]; then break; fi
  sleep 0.1
done
slurmctld -D >"$folder/slurmctld.out" 2>&1 &
children+=($!)
slurmd -D -N "$host" >"$folder/slurmd.out" 2>&1 &
children+=($!)
for _ in $(seq 300); do
  if sinfo --noheader --format=%t 2>/dev/null | grep -q '^idle'; then
    echo ready
    break
  fi
  sleep 0.1
done
cat >/dev/null
