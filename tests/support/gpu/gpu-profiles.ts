// Profiles of GPUs with plans that no test would run otherwise; the software GPU runs them. They have large and small limits, subgroups of
// one size, of several, or none, and few points planned as many.

import { type Profile, webgpuPlannedFor } from '../../../packages/backend-webgpu/src/profile.ts'

export { webgpuPlannedFor }

const large = {
  maxComputeInvocationsPerWorkgroup: 1024,
  maxComputeWorkgroupSizeX: 1024,
  maxComputeWorkgroupStorageSize: 49152,
}
const least = {
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupStorageSize: 16384,
}

/** Small shaders: a software GPU takes up to 20 s to compile the shaders of a real GPU. The loops are the same. */
const most = { workgroup: 32, targets: 2, unroll: 2, slices: 4, group: 8 }

/**
 * Between them, the profiles get every kind of plan for the suite's points: slices, splits, group minima, each pair once, and block sums.
 */
export const profiles: readonly Profile[] = [
  { name: 'a large GPU', limits: large, subgroups: 'own', most },
  { name: 'a large GPU with 256 times the points', limits: large, subgroups: 'own', crowd: 256, most },
  {
    name: 'a large GPU with subgroups of two sizes and 4096 times the points',
    limits: large,
    subgroups: { least: 4, most: 8 },
    crowd: 4096,
    most,
  },
  { name: 'the least GPU with 256 times the points', limits: least, crowd: 256, most },
]
