// Tests of what a user installs: the packed tarballs in an empty project, run by the runtimes there are and bundled for
// a browser.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { everyProject, patience } from '../support/patience.ts'

export default defineConfig({
  test: {
    name: 'environments',
    include: ['*.test.ts'],
    // Half the time of a test, so that what it waits for is named.
    expect: { poll: { timeout: patience / 2 } },
    globalSetup: join(import.meta.dirname, 'prepare.ts'),
    ...everyProject,
  },
})
