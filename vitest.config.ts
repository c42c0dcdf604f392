// The projects of `vitest run`: unit and conformance tests in plain Node are here. Three more have their own configs: a software GPU, a
// browser, and packed tarballs in an empty app. A project that the machine cannot run is left out, and the run names it: see
// tests/support/platform.ts.

import { configDefaults, defineConfig } from 'vitest/config'
import { everyProject } from './tests/support/patience.ts'
import { skipped } from './tests/support/platform.ts'
import { quickImports } from './tests/support/quick-imports.ts'
import { SuitesFirst } from './tests/support/suites-first.ts'

const projects = ['tests/gpu', 'tests/browser', 'tests/environments']

export default defineConfig({
  test: {
    // Workers of browsers, Deno and clusters wait for other processes, so three keep two processors busy.
    maxWorkers: 3,
    sequence: { sequencer: SuitesFirst },
    ...everyProject,
    reporters: ['default', './tests/support/progress-reporter.ts'],
    projects: [
      {
        extends: true,
        plugins: [quickImports],
        test: {
          name: 'node',
          // Test files in one worker share their imports, which saves a third of the computing time. A file must undo its global changes.
          isolate: false,
          include: ['packages/*/test/**/*.test.ts', 'tests/node/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...skipped.map(({ path }) => path)],
        },
      },
      ...projects.filter((project) => !skipped.some(({ path }) => path === project)),
    ],
  },
})
