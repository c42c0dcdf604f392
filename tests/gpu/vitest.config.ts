// Tests that run WebGPU in Node, on the software GPU. Forks, because the driver is chosen when a process starts.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { softwareGpuEnvironment } from '../../tools/software-gpu.ts'
import { everyProject } from '../support/patience.ts'
import { quickImports } from '../support/quick-imports.ts'

export default defineConfig({
  plugins: [
    quickImports,
    // As in the bundle of `npm run bench:gpu`.
    {
      name: 'cuda-sources-as-text',
      transform: (text, file) => (/\.cuh?$/.test(file) ? `export default ${JSON.stringify(text)}` : undefined),
    },
  ],
  test: {
    name: 'gpu',
    include: ['**/*.test.ts'],
    pool: 'forks',
    // As in Node: test files in one worker share their imports and their compiled code.
    isolate: false,
    setupFiles: ['unhurried-dawn.ts', 'quick-dawn.ts'].map((file) => join(import.meta.dirname, '../support/gpu', file)),
    ...everyProject,
    env: { ...everyProject.env, ...(await softwareGpuEnvironment()) },
  },
})
