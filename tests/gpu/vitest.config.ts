// Tests that run WebGPU in Node, on the software GPU. Forks, because the driver is chosen when a process starts.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { everyProject } from '../support/patience.ts'
import { softwareGpuEnvironment } from '../support/software-gpu.ts'

export default defineConfig({
  test: {
    name: 'gpu',
    include: ['**/*.test.ts'],
    pool: 'forks',
    setupFiles: ['unhurried-dawn.ts', 'quick-dawn.ts'].map((file) => join(import.meta.dirname, '../support', file)),
    env: { ...(await softwareGpuEnvironment()) },
    ...everyProject,
  },
})
