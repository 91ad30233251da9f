#!/bin/sh
# 64 shards of a run, then their merge. Start it with sh on a machine that has sbatch.
# If shards were killed or have failed, start it again: only what is missing is computed.
set -eu

shards=$(sbatch --parsable --job-name=tilewise --array=1-64 --cpus-per-task=8 --mem=1024M --requeue <<'END'
#!/bin/sh
exec tilewise run com:r=20 'expr:sum(x > 3)' 'scan'\''s.mib' --nav=256x256 --store dir:/scratch/run7 --shard auto --workers 8 --memory 512MiB --quiet
END
)

# afterany, not afterok: a killed task would keep the merge waiting for ever. It names what is missing.
sbatch --parsable --job-name=tilewise-merge --dependency="afterany:${shards%%;*}" --cpus-per-task=1 --mem=1024M <<'END'
#!/bin/sh
exec tilewise merge dir:/scratch/run7 -o com.npy --workers 1 --memory 512MiB --quiet
END
