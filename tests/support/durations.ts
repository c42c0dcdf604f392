// About how many seconds the longest test files take in a whole run on two processors, so that they start first and a run
// can say how long it goes on. They decide nothing else: a file that is not listed counts as a short one.

import { relative } from 'node:path'
import type { TestSequencer, TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { root } from '../../scripts/pnpm.mjs'

const short = 1.5

const seconds: Readonly<Record<string, number>> = {
  'tests/gpu/hardware-plans.test.ts': 90,
  'tests/gpu/conformance-webgl.test.ts': 75,
  'tests/gpu/simulations.test.ts': 70,
  'tests/environments/runtimes.test.ts': 61,
  'tests/environments/webgpu-loss.test.ts': 45,
  'tests/node/conformance-cpu-wasm.test.ts': 45,
  'tests/environments/cpu-wasm-pages.test.ts': 40,
  'tests/gpu/conformance-webgpu-variants.test.ts': 37,
  'tests/environments/webgpu-deno.test.ts': 37,
  'tests/browser/conformance-webgl.test.ts': 35,
  'tests/node/bench/commands.test.ts': 35,
  'tests/browser/conformance-webgl1.test.ts': 32,
  'tests/environments/rivals.test.ts': 31,
  'tests/node/running/script-arguments.test.ts': 30,
  'tests/gpu/webgpu/variants.test.ts': 27,
  'tests/node/bench/rivals.test.ts': 26,
  'tests/gpu/conformance-webgpu.test.ts': 26,
  'packages/conformance/test/wrong-backends.test.ts': 26,
  'packages/backend-webgl/test/browser/device.browser.ts': 22,
  'tests/node/pages/examples.test.ts': 21,
  'packages/conformance/test/fairness.test.ts': 20,
  'tests/node/bench/page.test.ts': 19,
  'tests/node/random/laws.test.ts': 17,
  'tests/gpu/bench-gpu.test.ts': 17,
  'tests/node/physics.test.ts': 12,
  'tests/node/simulations.test.ts': 11,
  'tests/browser/conformance-webgpu.test.ts': 16,
  'tests/node/random/verify-rejects.test.ts': 16,
  'tests/node/random/calls.test.ts': 15,
  'tests/gpu/webgpu/sizes.test.ts': 15,
  'packages/backend-cpu-wasm/test/blocks/cutoff.test.ts': 15,
  'tests/gpu/random/laws.test.ts': 14,
  'tests/gpu/random/calls.test.ts': 13,
  'packages/core/test/workloads/pair-body.test.ts': 12,
  'tests/node/random/verify-accepts.test.ts': 10,
  'packages/core/test/simulation/snapshot.test.ts': 10,
  'packages/backend-webgl/test/browser/loss.browser.ts': 8,
  'tests/browser/cpu-wasm.test.ts': 8,
  'tests/node/conformance-reference.test.ts': 8,
  'packages/conformance/test/example-backend.test.ts': 8,
  'tests/gpu/loops-by-name.test.ts': 8,
  'tests/node/pages/main-job.test.ts': 8,
  'tests/node/pages/accuracy-figures.test.ts': 7,
  'packages/core/test/interactions/built-in-laws.test.ts': 7,
  'packages/backend-cpu-wasm/test/pairs-once.test.ts': 7,
  'tests/browser/webgpu-variants.test.ts': 6,
  'packages/backend-cpu-wasm/test/device.test.ts': 6,
  'packages/core/test/expression/simplify.test.ts': 6,
  'tests/environments/tarballs.test.ts': 5,
}

/** @param file from the root */
export const weightOf = (file: string): number => seconds[file.replaceAll('\\', '/')] ?? short

/** The longest first, so that no long file is left for the end, when one processor would wait for the other. */
export class LongestFirst extends BaseSequencer implements TestSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weight = ({ moduleId }: TestSpecification) => weightOf(relative(root, moduleId))
    return files.toSorted((a, b) => weight(b) - weight(a))
  }
}
