// About how many seconds of one processor the longest test files take, so that they start first and a run can say how long
// it goes on. They decide nothing else: a file that is not listed counts as a short one.

import { relative } from 'node:path'
import type { TestSequencer, TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { root } from '../../scripts/pnpm.mjs'

const short = 1.5

const seconds: Readonly<Record<string, number>> = {
  'tests/gpu/webgpu-compiles.test.ts': 6,
  'tests/gpu/hardware-plans.test.ts': 141,
  'tests/gpu/webgpu-variants.test.ts': 75,
  'tests/gpu/webgpu-sizes.test.ts': 46,
  'tests/gpu/conformance-webgpu-variants.test.ts': 60,
  'tests/gpu/conformance-webgl.test.ts': 60,
  'tests/gpu/conformance-webgpu.test.ts': 37,
  'tests/gpu/random-laws.test.ts': 20,
  'tests/gpu/webgpu-newton-proof.test.ts': 5,
  'tests/gpu/webgpu-device.test.ts': 13,
  'tests/browser/conformance-webgl.test.ts': 45,
  'tests/browser/conformance-webgl1.test.ts': 30,
  'tests/browser/conformance-webgpu.test.ts': 20,
  'tests/browser/webgpu-variants.test.ts': 30,
  'tests/environments/rivals.test.ts': 40,
  'tests/environments/webgpu-loss.test.ts': 40,
  'tests/environments/cpu-wasm-pages.test.ts': 20,
  'tests/environments/tarballs.test.ts': 20,
  'tests/environments/runtimes.test.ts': 20,
  'tests/node/conformance-cpu-wasm.test.ts': 49,
  'tests/node/bench-rivals.test.ts': 51,
  'packages/conformance/test/fairness.test.ts': 43,
  'tests/node/bench-commands.test.ts': 26,
  'packages/conformance/test/wrong-backends.test.ts': 22,
  'packages/core/test/workloads/pair-body.test.ts': 25,
  'tests/node/random-laws.test.ts': 19,
  'tests/node/conformance-reference.test.ts': 16,
  'tests/node/script-arguments.test.ts': 15,
  'packages/conformance/test/example-backend.test.ts': 9,
  'packages/core/test/interactions/built-in-laws.test.ts': 7,
  'packages/backend-cpu-wasm/test/device.test.ts': 5,
  'packages/backend-cpu-wasm/test/pairs-once.test.ts': 6,
  'packages/backend-cpu-wasm/test/copies.test.ts': 5,
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
