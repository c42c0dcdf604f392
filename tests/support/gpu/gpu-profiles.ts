// GPUs whose plans the software GPU runs, because no test would run them otherwise: large and small limits,
// subgroups of one size, of several, or none, and few points planned as many.

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

/** Small shaders: a software GPU takes up to 20 s to compile what a GPU is given. The loops are the same. */
const most = { workgroup: 32, targets: 2, unroll: 2, slices: 4, group: 8 }

/** By what the model chooses for the suite's points: slices, splits, group minima, each pair once, and block sums. */
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
