// What `vitest run` runs: unit and conformance tests in plain Node here, and three projects that need more than that,
// each with its own config: a software GPU, a browser, and packed tarballs in an empty app.

import { defineConfig } from 'vitest/config'
import { patient } from './tests/support/patience.ts'

export default defineConfig({
  test: {
    maxWorkers: 2,
    ...patient,
    projects: [
      { extends: true, test: { name: 'node', include: ['packages/*/test/**/*.test.ts', 'tests/node/**/*.test.ts'] } },
      'tests/gpu',
      'tests/browser',
      'tests/environments',
    ],
  },
})
