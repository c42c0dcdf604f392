// What `vitest run` runs: unit and conformance tests in plain Node here, and three projects that need more than that,
// each with its own config: a software GPU, a browser, and packed tarballs in an empty app. A project that the machine cannot run is
// left out, and the run names it: see tests/support/platform.ts.

import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/support/durations.ts'
import { everyProject } from './tests/support/patience.ts'
import { skipped } from './tests/support/platform.ts'

const projects = ['tests/gpu', 'tests/browser', 'tests/environments']

export default defineConfig({
  test: {
    maxWorkers: 2,
    ...everyProject,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './tests/support/progress-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          // Files of one worker share what they import: a third less to compute. What a file sets up globally, it takes down.
          isolate: false,
          include: ['packages/*/test/**/*.test.ts', 'tests/node/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...skipped.map(({ path }) => path)],
        },
      },
      ...projects.filter((project) => !skipped.some(({ path }) => path === project)),
    ],
  },
})
