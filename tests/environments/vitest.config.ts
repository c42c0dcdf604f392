// Tests of what a user installs: the packed tarballs in an empty project, run by the runtimes there are and bundled for
// a browser.

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'environments', include: ['**/*.test.ts'], globalSetup: ['packed-app.ts'], testTimeout: 240_000 },
})
