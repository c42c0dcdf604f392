// Tests of what a user installs: the packed tarballs in an empty project, run by the runtimes there are and bundled for
// a browser.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { everyProject, patience } from '../support/patience.ts'

export default defineConfig({
  test: {
    name: 'environments',
    include: ['*.test.ts'],
    expect: { poll: { timeout: patience } },
    globalSetup: join(import.meta.dirname, 'prepare.ts'),
    ...everyProject,
  },
})
