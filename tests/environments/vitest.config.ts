// Tests of what a user installs: the packed tarballs in an empty project, run by the runtimes there are and bundled for
// a browser.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'environments',
    include: ['**/*.test.ts'],
    globalSetup: [join(import.meta.dirname, 'packed-app.ts')],
    testTimeout: 240_000,
  },
})
