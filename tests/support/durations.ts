// The approximate seconds that the longest test files take in a whole run on two processors. They start first, and a run can tell how long
// it will take. Nothing else depends on these numbers. A file that is not listed counts as short.

import { relative } from 'node:path'
import type { TestSequencer, TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { root } from '../../scripts/pnpm.mjs'

const short = 1.5

const seconds: Readonly<Record<string, number>> = {
  'tests/gpu/hardware-plans.test.ts': 48,
  'tests/gpu/simulations.test.ts': 42,
  'tests/browser/conformance-webgl1.test.ts': 39,
  'tests/environments/runtimes.test.ts': 39,
  'tests/gpu/conformance-webgl.test.ts': 38,
  'tests/environments/webgpu-deno.test.ts': 35,
  'tests/browser/conformance-webgl.test.ts': 33,
  'tests/node/pages/examples.test.ts': 31,
  'tests/environments/webgpu-loss.test.ts': 28,
  'tests/node/running/script-arguments.test.ts': 27,
  'tests/node/conformance-cpu-wasm.test.ts': 26,
  'tests/node/bench/commands.test.ts': 25,
  'tests/environments/cpu-wasm-pages.test.ts': 24,
  'tests/browser/conformance-webgpu.test.ts': 21,
  'tests/gpu/bench-gpu.test.ts': 20,
  'tests/environments/rivals.test.ts': 20,
  'tests/node/cluster/suite.test.ts': 20,
  'tests/node/random/calls.test.ts': 20,
  'packages/backend-cpu-wasm/test/blocks/cutoff.test.ts': 19,
  'packages/backend-cpu-wasm/test/blocks/nearest.test.ts': 19,
  'tests/environments/live-page.test.ts': 18,
  'tests/gpu/webgpu/trees.test.ts': 16,
  'tests/node/conformance-reference.test.ts': 15,
  'packages/backend-webgl/test/browser/device.browser.ts': 14,
  'tests/node/bench/near.test.ts': 14,
  'tests/node/random/verify-rejects.test.ts': 14,
  'tests/gpu/webgpu/variants.test.ts': 13,
  'tests/node/cluster/checkpoint.test.ts': 13,
  'tests/node/cluster/command-line.test.ts': 13,
  'packages/conformance/test/wrong-backends.test.ts': 11,
  'packages/core/test/engine/tolerance.test.ts': 11,
  'tests/gpu/conformance-webgpu-variants.test.ts': 11,
  'tests/gpu/conformance-webgpu.test.ts': 11,
  'tests/node/physics.test.ts': 11,
  'packages/core/test/workloads/pair-body.test.ts': 10,
  'tests/node/bench/page.test.ts': 10,
  'tests/node/bench/rivals.test.ts': 10,
  'tests/node/random/laws.test.ts': 9,
  'packages/backend-cpu-wasm/test/blocks/lasting.test.ts': 8,
  'packages/backend-webgl/test/browser/loss.browser.ts': 7,
  'packages/conformance/test/fairness.test.ts': 7,
  'tests/node/random/verify-accepts.test.ts': 7,
  'tests/node/simulations.test.ts': 7,
  'packages/backend-cpu-wasm/test/tree.test.ts': 6,
  'packages/conformance/test/example-backend.test.ts': 6,
  'tests/gpu/random/laws.test.ts': 6,
  'tests/gpu/webgpu/blocks.test.ts': 6,
  'tests/gpu/webgpu/lists.test.ts': 6,
  'tests/gpu/webgpu/sizes.test.ts': 6,
  'tests/node/random/trees.test.ts': 6,
  'packages/backend-cpu-wasm/test/blocks/order.test.ts': 5,
  'packages/backend-cpu-wasm/test/threads/copies.test.ts': 5,
  'packages/manybody/test/d3.test.ts': 5,
  'tests/browser/cpu-wasm.test.ts': 5,
  'tests/browser/webgpu-variants.test.ts': 5,
  'tests/environments/cluster-page.test.ts': 5,
  'tests/node/cluster/security.test.ts': 5,
  'tests/node/pages/main-job.test.ts': 5,
  'tests/node/random/lists.test.ts': 5,
}

/** @param file as a path from the root */
export const weightOf = (file: string): number => seconds[file.replaceAll('\\', '/')] ?? short

/** Sorts the longest files first, so that no long file is left for the end while the other processor is idle. */
export class LongestFirst extends BaseSequencer implements TestSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weight = ({ moduleId }: TestSpecification) => weightOf(relative(root, moduleId))
    return files.toSorted((a, b) => weight(b) - weight(a))
  }
}
