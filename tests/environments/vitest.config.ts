// Tests of what a user installs: the packed tarballs in an empty project, run by the runtimes there are and bundled for
// a browser.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'environments',
    include: ['**/*.test.ts'],
    globalSetup: ['packed-app.ts', 'runtimes.ts'].map((name) => join(import.meta.dirname, name)),
    testTimeout: 240_000,
    // Hooks install, build and start browsers, too.
    hookTimeout: 240_000,
  },
})
