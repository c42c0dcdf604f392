// Tests that run WebGPU in Node, on the software GPU. Forks, because the driver is chosen when a process starts.

import { defineConfig } from 'vitest/config'
import { patient } from '../support/patience.ts'
import { softwareGpuEnvironment } from '../support/software-gpu.ts'

export default defineConfig({
  test: {
    name: 'gpu',
    include: ['**/*.test.ts'],
    pool: 'forks',
    env: { ...(await softwareGpuEnvironment()) },
    ...patient,
  },
})
