#!/bin/sh
# 4 shards of a run, then their merge. Start it with sh on a machine that has sbatch.
# If shards were killed or have failed, start it again: only what is missing is computed.
set -eu

shards=$(sbatch --parsable --job-name=tilewise --array=1-4 --cpus-per-task=4 --mem=896M --requeue <<'END'
#!/bin/sh
exec tilewise map './mine.ts#sharpen:radius=2' gaussian:sigma=2 --border=wrap 'a b.tif' --compression=zstd --output=sharp.ome.tif --store /scratch/m1 --shard auto --workers 4 --memory 512MiB --quiet
END
)

# afterany, not afterok: a killed task would keep the merge waiting for ever. It names what is missing.
sbatch --parsable --job-name=tilewise-merge --dependency="afterany:${shards%%;*}" --cpus-per-task=1 --mem=896M <<'END'
#!/bin/sh
exec tilewise merge /scratch/m1 -o sharp.ome.tif --workers 1 --memory 512MiB --allow-modules=./mine.ts --quiet
END
