// Tests of the packages as a user installs them: the packed tarballs in an empty project, run by the available runtimes and bundled for a
// browser.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { patience } from '../../tools/patience.ts'
import { everyProject } from '../support/patience.ts'

export default defineConfig({
  test: {
    name: 'environments',
    include: ['*.test.ts'],
    // Half of a test's time limit, so that a timeout names the condition that it waits for.
    expect: { poll: { timeout: patience / 2 } },
    globalSetup: join(import.meta.dirname, 'prepare.ts'),
    ...everyProject,
  },
})
