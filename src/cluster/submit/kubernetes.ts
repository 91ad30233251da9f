/**
 * Manifests for Kubernetes: an Indexed Job with one shard per index, and a Job that merges.
 *
 * @module
 */

import { mebibytes, mergeWords, shardWords, type Submission } from "./submission.ts";

/** Tries of one index, beside those of others. */
const RETRIES = 5;

/**
 * The two jobs as YAML for `kubectl apply -f -`.
 * @category Cluster
 */
export function kubernetesManifest(submission: Submission): string {
  const { shards, workers } = submission;
  return `# ${shards} shards of a run, and their merge: kubectl apply -f FILE
# Data and store are on the volume claim, which all pods mount at /data. An index that fails is tried ${RETRIES} times more,
# beside the others (backoffLimitPerIndex: Kubernetes 1.29 or later). The merge waits for all parts.
apiVersion: batch/v1
kind: Job
metadata:
  name: tilewise-shards
spec:
  completionMode: Indexed
  completions: ${shards}
  parallelism: ${shards}
  backoffLimitPerIndex: ${RETRIES}
  template:
${podOf(submission, shardWords(submission, `auto/${shards}`), workers)}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: tilewise-merge
spec:
  backoffLimit: ${RETRIES}
  template:
${podOf(submission, mergeWords(submission, "--wait"), 1)}
`;
}

/** The pod of a job; lists are JSON, which YAML understands. */
function podOf(submission: Submission, words: readonly string[], cores: number): string {
  const { image = "IMAGE", claim = "CLAIM" } = submission;
  return `    spec:
      restartPolicy: Never
      containers:
        - name: tilewise
          image: ${JSON.stringify(image)}
          workingDir: /data
          command: ${JSON.stringify(words)}
          resources:
            requests: { cpu: "${cores}", memory: "${mebibytes(submission)}Mi" }
            limits: { memory: "${mebibytes(submission)}Mi" }
          volumeMounts:
            - { name: data, mountPath: /data }
      volumes:
        - name: data
          persistentVolumeClaim: { claimName: ${JSON.stringify(claim)} }`;
}
