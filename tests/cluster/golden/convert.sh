#!/bin/sh
# 16 shards of a run, then their merge. Start it with sh on a machine that has sbatch.
# If shards were killed or have failed, start it again: only what is missing is computed.
set -eu

shards=$(sbatch --parsable --job-name=tilewise --array=1-16 --cpus-per-task=4 --mem=896M --requeue <<'END'
#!/bin/sh
exec tilewise convert scan.mib scan.ome.zarr --nav=256x256 --shard-size=256MiB --store dir:/scratch/c1 --shard auto --workers 4 --memory 512MiB --quiet
END
)

# afterany, not afterok: a killed task would keep the merge waiting for ever. It names what is missing.
sbatch --parsable --job-name=tilewise-merge --dependency="afterany:${shards%%;*}" --cpus-per-task=1 --mem=896M <<'END'
#!/bin/sh
exec tilewise merge dir:/scratch/c1 -o scan.ome.zarr --workers 1 --memory 512MiB --quiet
END
