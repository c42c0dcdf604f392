// Tests of what a user installs: the packed tarballs in an empty project, run by plain node and bundled for a browser.

import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: 'environments', include: ['**/*.test.ts'], testTimeout: 120_000 } })
