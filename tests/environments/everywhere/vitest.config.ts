// `npm run environments`: the packed tarballs in every environment that we know, with a line for each. `npm test` runs the cheaper half of
// them, in the files beside this folder.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { everyProject } from '../../support/patience.ts'

const environments = join(import.meta.dirname, '..')

export default defineConfig({
  test: {
    root: environments,
    include: [
      'everywhere/*.test.ts',
      'tarballs.test.ts',
      'runtimes.test.ts',
      'cpu-wasm-pages.test.ts',
      'webgpu-deno.test.ts',
    ],
    globalSetup: join(environments, 'prepare.ts'),
    maxWorkers: 2,
    reporters: ['verbose'],
    ...everyProject,
  },
})
